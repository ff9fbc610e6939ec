"""A thousand requests at once, on loopback."""

import asyncio
import collections
import json
import resource

REQUESTS = 1_000
QUESTIONS = ["how long is the aurora", "show me every ship", "what lies in turku ?", "?"]


async def ask(port, number, together):
    body = json.dumps({"utterance": QUESTIONS[number % 4], "n_best": 1}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await together.wait()
    head = (
        "POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    head, _, content = answer.partition(b"\r\n\r\n")
    return number, int(head.split()[1]), json.loads(content)


async def storm(port):
    together = asyncio.Event()
    tasks = [asyncio.create_task(ask(port, number, together)) for number in range(REQUESTS)]
    await asyncio.sleep(0.5)
    together.set()  # all connections are open by now, or nearly
    return await asyncio.wait_for(asyncio.gather(*tasks), 120)


def test_a_thousand_requests_at_once(server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * REQUESTS
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard < 0 else min(wanted, hard), hard))
    try:
        answers = asyncio.run(storm(server.port))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    statuses = collections.Counter(status for _, status, _ in answers)
    assert statuses == {200: REQUESTS * 3 // 4, 422: REQUESTS // 4}
    for number, status, content in answers:
        if status == 200:
            assert content["utterance"] == QUESTIONS[number % 4]
            assert content["readings"][0]["answer"].startswith("(list")
    status, found = server.post("/api/parse", {"utterance": "how long is the baltic"})
    assert (status, found["readings"][0]["answer"]) == (200, "(list (number 180 en.metre))")
