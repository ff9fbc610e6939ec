#!/usr/bin/env bash
# Installs Chromium and its driver, in which the tests try the page, where that can be done without
# a question: on Debian, as root. Never fails: without a browser those tests are skipped.
set -u
exec </dev/null

has_browser() { command -v chromium >/dev/null && command -v chromedriver >/dev/null; }
install() {
    DEBIAN_FRONTEND=noninteractive timeout 300 \
        apt-get install --yes --quiet --no-install-recommends chromium chromium-driver
}

has_browser && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "test: no chromium with chromedriver: the tests of the page will be skipped"
    exit 0
fi
echo "test: installing chromium and chromium-driver"
log=$(mktemp)
{ install || { timeout 120 apt-get update --quiet && install; }; } >"$log" 2>&1
if ! has_browser; then
    echo "test: chromium could not be installed: the tests of the page will be skipped"
    tail -n 3 "$log"
fi
rm -f "$log"
