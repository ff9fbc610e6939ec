"""Jobs that wait are worked on together; a bad one spoils its own result only."""

import asyncio
import threading

import pytest

from fairseq_twostage.server.batching import Batcher, BusyError


def run(jobs, function, **options):
    async def main():
        batcher = Batcher(function, **options)
        try:
            return await asyncio.gather(
                *(batcher(job, 10.0) for job in jobs), return_exceptions=True
            )
        finally:
            await asyncio.get_running_loop().run_in_executor(None, batcher.close)

    return asyncio.run(main())


def test_results_belong_to_their_jobs_and_batches_are_bounded():
    sizes = []

    def double(jobs):
        sizes.append(len(jobs))
        return [2 * job for job in jobs]

    assert run(range(100), double, batch=8) == list(range(0, 200, 2))
    assert max(sizes) <= 8 and sum(sizes) == 100 and len(sizes) < 100


def test_a_bad_job_spoils_its_own_result_only():
    def inverse(jobs):
        return [1 / job for job in jobs]

    first, second, third = run([1, 0, 2], inverse)
    assert (first, third) == (1.0, 0.5)
    assert isinstance(second, ZeroDivisionError)


def test_too_many_and_too_slow():
    release = threading.Event()
    worked = []

    def slow(jobs):
        release.wait(20)
        worked.extend(jobs)
        return jobs

    async def main():
        batcher = Batcher(slow, capacity=2, batch=1)
        first = asyncio.create_task(batcher("a", 20.0))
        await asyncio.sleep(0.2)  # the thread has taken it
        late = asyncio.create_task(batcher("late", 0.1))
        last = asyncio.create_task(batcher("b", 20.0))
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await batcher("c", 20.0)
        with pytest.raises(TimeoutError):
            await late
        release.set()
        assert (await first, await last) == ("a", "b")
        await asyncio.get_running_loop().run_in_executor(None, batcher.close)

    asyncio.run(main())
    assert worked == ["a", "b"]  # nobody waited for the late one any more
