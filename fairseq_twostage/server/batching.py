"""Requests that arrive together are worked on together, by one thread."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


class BusyError(Exception):
    """More jobs are waiting than may."""


@dataclass(frozen=True)  # a generic NamedTuple needs Python 3.11
class _Waiting(Generic[Job, Result]):
    job: Job
    future: asyncio.Future[Result]
    loop: asyncio.AbstractEventLoop


class Batcher(Generic[Job, Result]):
    """A queue before a function that is best called with many jobs at once.

    The models run on one thread: more would be slower, and they share memories.

    Args:
        function: jobs to as many results. If it raises, each job is tried alone, so that one
            bad job spoils its own result only.
        capacity: jobs that may wait.
        batch: jobs at once.
    """

    def __init__(
        self,
        function: Callable[[Sequence[Job]], Sequence[Result]],
        capacity: int = 2_000,
        batch: int = 32,
    ) -> None:
        self._function = function
        self._batch = batch
        self._queue: queue.Queue[_Waiting[Job, Result] | None] = queue.Queue(capacity)
        self._thread = threading.Thread(target=self._run, name="parser", daemon=True)
        self._thread.start()

    async def __call__(self, job: Job, seconds: float) -> Result:
        """The result of a job.

        Raises:
            BusyError: too many wait.
            TimeoutError: it took longer; if it has not begun, it never will.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        try:
            self._queue.put_nowait(_Waiting(job, future, loop))
        except queue.Full:
            raise BusyError from None
        try:
            return await asyncio.wait_for(future, seconds)
        except asyncio.TimeoutError:  # not the same as TimeoutError before Python 3.11
            raise TimeoutError from None

    def close(self) -> None:
        """End the thread after the jobs that wait already."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            waiting = [first]
            last = False
            while len(waiting) < self._batch and not self._queue.empty():
                item = self._queue.get()
                if item is None:
                    last = True
                    break
                waiting.append(item)
            self._work([item for item in waiting if not item.future.done()])
            if last:
                return

    def _work(self, waiting: Sequence[_Waiting[Job, Result]]) -> None:
        try:
            results = self._function([item.job for item in waiting]) if waiting else ()
        except Exception as error:
            if len(waiting) > 1:
                for item in waiting:
                    self._work([item])
                return
            _tell(waiting[0], asyncio.Future.set_exception, error)
            return
        for item, result in zip(waiting, results):
            _tell(item, asyncio.Future.set_result, result)


def _tell(item: _Waiting, settle: Callable[[asyncio.Future, Any], None], value: Any) -> None:
    def in_loop() -> None:
        if not item.future.done():
            settle(item.future, value)

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
        item.loop.call_soon_threadsafe(in_loop)
