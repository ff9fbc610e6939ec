"""The page in a real browser: asking, looking, marking; by keyboard and in a narrow window."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator

import pytest

from tests.ships import ROWS

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium (the dev extra)")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
WAIT = 30

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None or DRIVER is None,
        reason="needs chromium and chromedriver (scripts/setup_browser.sh installs them)",
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    for name in ("selenium", "urllib3"):  # each call would be logged below a failure
        logging.getLogger(name).setLevel(logging.WARNING)
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu"):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService(executable_path=DRIVER)
    )
    yield driver
    driver.quit()


@pytest.fixture
def page(browser, server):
    window(browser, 1200, 900)
    browser.get(server.url)
    wait(browser, lambda: find(browser, "#domain").text == "ships")
    yield browser
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def window(browser, width, height, scheme="light"):
    """A viewport narrower than the browser's smallest window is emulated."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def wait(browser, condition):
    return WebDriverWait(browser, WAIT, 0.05).until(lambda _: condition())


def find(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def texts(browser, selector):
    return [element.text for element in browser.find_elements(By.CSS_SELECTOR, selector)]


def focused(browser):
    return browser.switch_to.active_element


def ask(browser, question):
    field = find(browser, "#question")
    field.clear()
    field.send_keys(question, Keys.ENTER)
    wait(
        browser,
        lambda: (
            not browser.execute_script("return document.body.matches('.waiting')")
            and find(browser, "#status").get_attribute("textContent")
        ),
    )


def test_a_question_is_answered(page):
    ask(page, "Which ships are longer than the Aurora?")
    wait(page, lambda: find(page, "#result").is_displayed())
    assert find(page, "#canonical").text == ROWS[4][1]
    assert texts(page, "#answer thead th") == ["ship", "length", "port", "has sauna"]
    assert texts(page, "#answer tbody th") == ["baltic", "meridian"]
    assert texts(page, "#answer tbody tr:last-child td") == ["210 metres", "turku", "yes"]
    assert "q=Which%20ships" in page.current_url


def test_attention_is_drawn_between_the_words(page):
    ask(page, "how long is the aurora")
    assert texts(page, "#alignment .source .word") == ROWS[0][0].split()
    assert texts(page, "#alignment .target .word") == ROWS[0][1].split()
    paths = page.find_elements(By.CSS_SELECTOR, "#alignment path")
    assert paths
    opacities = [float(path.get_attribute("stroke-opacity")) for path in paths]
    assert max(opacities) > 0.5 and max(opacities) <= 1
    ask(page, "what lies in Turku?")
    assert texts(page, "#alignment .source .word") == ["what", "lies", "in", "turku", "?"]
    assert texts(page, "#alignment .target .word")[-1] == "turku"
    paths = page.find_elements(By.CSS_SELECTOR, "#alignment path")
    for path in paths:  # every thread starts at a word and ends at a word
        assert path.rect["height"] > 10


def test_the_logical_form_is_a_tree_that_folds(page):
    ask(page, "Which ships are longer than the Aurora?")
    assert texts(page, "#tree .function")[:3] == ["listValue", "filter", "getProperty"]
    assert "baltic, meridian" in find(page, "#tree summary .value").text
    find(page, "#tree summary").click()
    assert not page.find_elements(By.CSS_SELECTOR, "#tree .function")[1].is_displayed()


def test_another_reading_can_be_looked_at(page):
    ask(page, "how long is the baltic ?")
    buttons = page.find_elements(By.CSS_SELECTOR, "#readings button")
    assert len(buttons) > 1
    canonical = buttons[1].find_element(By.CSS_SELECTOR, ".canonical").text
    buttons[1].send_keys(Keys.ENTER)
    wait(page, lambda: find(page, "#canonical").text == canonical)
    current = [
        button.get_attribute("aria-current")
        for button in page.find_elements(By.CSS_SELECTOR, "#readings button")
    ]
    assert current == ["false", "true", *["false"] * (len(current) - 2)]
    assert focused(page).get_attribute("aria-current") == "true"


def test_by_keyboard_alone(page):
    assert focused(page).get_attribute("id") == "question"
    focused(page).send_keys("show me every ship", Keys.ENTER)
    wait(page, lambda: "aurora" in find(page, "#answer").text)
    assert focused(page).get_attribute("id") == "question"
    status = find(page, "#status")
    assert status.get_attribute("aria-live") == "polite"
    assert status.get_attribute("textContent") == (
        "Answer: aurora, baltic, meridian. Understood as: ship."
    )
    order = []
    for _ in range(12):
        page.switch_to.active_element.send_keys(Keys.TAB)
        element = focused(page)
        order.append(element.get_attribute("id") or element.get_attribute("class") or element.text)
    assert order[0] in ("primary", "Ask")
    assert order[1:3] == ["how long is the aurora", "show me every ship"]
    assert [name for name in order if name in ("right", "wrong")] == ["right", "wrong"]
    assert "word" in order and "tree" in order


def test_arrows_walk_over_the_canonical_words(page):
    ask(page, "how long is the aurora")
    first, *_, last = page.find_elements(By.CSS_SELECTOR, "#alignment .target .word")
    page.execute_script("arguments[0].focus()", first)
    focused(page).send_keys(Keys.ARROW_RIGHT, Keys.NULL)
    focused(page).send_keys(Keys.ARROW_RIGHT)
    assert focused(page) == last
    assert find(page, "#alignment-note").text.startswith("aurora ← ")
    assert page.find_elements(By.CSS_SELECTOR, "#alignment path.faded")


def test_every_control_has_a_name(page):
    ask(page, "how long is the aurora")
    find(page, "#wrong").click()
    for control in page.find_elements(By.CSS_SELECTOR, "input, button, [tabindex='0']"):
        shown = control.is_displayed()
        assert not shown or control.accessible_name.strip(), control.get_attribute("outerHTML")


def labelled(server):
    return server.labelled.read_text().splitlines()


def test_what_is_right_is_saved(page, server):
    ask(page, "show me every ship ?")
    find(page, "#right").click()
    wait(page, lambda: find(page, "#saved").text == "Saved to labelled.tsv. Thank you.")
    assert labelled(server)[-1] == f"show me every ship ?\tship\t{ROWS[3][2]}\t{{}}"


def test_what_is_wrong_is_corrected_by_canonical_words(page, server):
    ask(page, "where does the baltic lie")
    find(page, "#wrong").send_keys(Keys.ENTER)
    own = find(page, "#own")
    own.send_keys("length of baltic", Keys.TAB)
    wait(page, lambda: "180" in find(page, "#own-answer").text)
    own.send_keys(Keys.ENTER)
    wait(page, lambda: "Saved" in find(page, "#saved").text)
    assert (
        labelled(server)[-1] == f"where does the baltic lie\tlength of baltic\t{ROWS[1][2]}\t{{}}"
    )
    assert server.labelled.with_name("labelled.tsv.wrong.jsonl").read_text().count("baltic") >= 1
    assert not find(page, "#correction").is_displayed()


def test_what_is_wrong_is_corrected_by_another_reading(page, server):
    ask(page, "how long is the baltic ?")
    meant = texts(page, "#readings .canonical")[1]
    find(page, "#wrong").click()
    page.find_elements(By.CSS_SELECTOR, "#choices input")[0].click()
    find(page, "#correction button").click()
    wait(page, lambda: "Saved" in find(page, "#saved").text)
    assert labelled(server)[-1].startswith(f"how long is the baltic ?\t{meant}\t")


@pytest.mark.parametrize(("confidence", "shown"), [(0.874, ["87 %", ""]), (None, ["", ""])])
def test_the_first_reading_has_its_confidence(page, confidence, shown):
    reading = {"explanation": {"attention": [[0]]}, "canonical": "a", "values": ["a"]}
    script = """
        const [reading, confidence, done] = arguments;
        import("/static/results.js").then(({ readings }) =>
            done(readings([reading, reading], confidence, 0).map(
                (item) => item.querySelector(".score").textContent)));
    """
    assert page.execute_async_script(script, reading, confidence) == shown


REFUSED = {
    "understood": False,
    "refused_because": "this does not look like a question about ships",
    "suggestions": ["how long is the baltic ?"],
    "confidence": 0.12,
}


def test_a_refusal_shows_its_reason_and_what_can_be_asked(page):
    script = """
        const [changed, done] = arguments;
        const plain = window.fetch;
        window.fetch = async (...request) => {
            const found = await plain(...request);
            const record = await found.json();
            return Response.json({ ...record, ...changed });
        };
        window.undo = () => { window.fetch = plain; };
        done();
    """
    page.execute_async_script(script, REFUSED)
    ask(page, "what is the capital of france")
    assert REFUSED["refused_because"] in find(page, "#refusal").text
    assert not find(page, "#answer").is_displayed()
    find(page, "#anyway").click()
    assert find(page, "#answer").is_displayed() and "12 %" in find(page, "#sureness").text
    page.execute_script("window.undo()")
    find(page, "#suggested button").click()
    wait(page, lambda: not find(page, "#refusal").is_displayed())
    assert find(page, "#question").get_attribute("value") == "how long is the baltic ?"


def test_unknown_words_entities_and_failures_are_told(page):
    ask(page, "how heavy is the zeppelin aurora")
    assert find(page, "#unknown").text == "Words that the domain does not have: zeppelin."
    ask(page, "what lies in turkuu and old town")
    assert find(page, "#unknown").text == (
        "Words that the domain does not have: and. No question here has a second port, as old "
        "town would be. “turkuu” was read as turku."
    )
    ask(page, "how heavy is the aurora")
    assert "This reading has no answer" in find(page, "#answer").text
    assert not find(page, "#unknown").is_displayed()


def test_a_text_without_words_is_refused_and_the_next_one_answered(page):
    ask(page, "?!")
    status = find(page, "#status")
    assert status.text == "No words to parse." and "error" in status.get_attribute("class")
    page.get_log("browser")  # the browser notes the status 422
    ask(page, "how long is the aurora")
    assert find(page, "#answer tbody th").text == "120 metres"


def test_markup_is_shown_as_text(page):
    ask(page, "<img src=x onerror=alert(1)> ship")
    assert not page.find_elements(By.CSS_SELECTOR, "main img")


def test_a_link_with_a_question_asks_it(page, server):
    page.get(f"{server.url}?q=how+long+is+the+baltic")
    wait(page, lambda: page.find_elements(By.CSS_SELECTOR, "#answer tbody th"))
    assert find(page, "#answer tbody th").text == "180 metres"


@pytest.mark.parametrize("width", [320, 360, 768, 1400])
def test_no_width_needs_sideways_scrolling(page, width):
    window(page, width, 800)
    ask(page, "Which ships are longer than the Aurora?")
    find(page, "#wrong").click()
    sizes = page.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert sizes[0] <= sizes[1] == width
    for selector in ("#question", "form .primary", "#canonical", "#alignment svg", "#readings li"):
        box = find(page, selector).rect
        assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1, selector
    words = page.find_elements(By.CSS_SELECTOR, "#alignment .word")
    assert all(0 <= word.rect["x"] <= width - word.rect["width"] + 1 for word in words)


def luminance(color):
    channels = [int(part) / 255 for part in color[color.index("(") + 1 : -1].split(",")[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(page, scheme):
    window(page, 1200, 900, scheme)
    ask(page, "Which ships are longer than the Aurora?")
    ground = luminance(find(page, ".card").value_of_css_property("background-color"))
    assert (ground < 0.2) == (scheme == "dark")
    for selector in ("#answer td", "#canonical", ".hint", "#tree .function", "#tree .value", "h2"):
        ink = luminance(find(page, selector).value_of_css_property("color"))
        high, low = max(ink, ground), min(ink, ground)
        assert (high + 0.05) / (low + 0.05) >= 4.5, selector  # WCAG AA
