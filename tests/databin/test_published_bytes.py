"""The data-bins of the published datasets are what they were, byte for byte."""

import hashlib
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main

# Of every file's name and bytes, in the order of the names, but the manifest's, which holds the
# version. Written by the commit that first measured the published results' systems.
DIGESTS = {
    "basketball": "cb5dc0919158c458819e18730e9f01f74cb7bbea00c2fb67d0cafa0f29488a71",
    "blocks": "b5276469f1175bb97cea5ae683ad04bf5822b41f13466134bf203ddfe01458f6",
    "calendar": "e1399d1f9f8ec669322c91310d96790a5785ab65645ab2a99e822618cc4f19fc",
    "geo": "3987707c296fd4fc57a2e85b73f162d2ae982cb29b41b3691560dfdb35d51b25",
    "housing": "d934834c5441d1d1b0cad5a1fa678ce4cf019567fc0220b3868f7fdd8e207bfd",
    "publications": "c3aed7a199618b58da8ba6f344b56e11773627464e59999bd18dfbf1dd521695",
    "recipes": "6596f74a19c76ffdbd79a3ea7fc7eee8e5448f6651fe676568b6e9b63173a0e9",
    "restaurants": "810322c3387642666ed013e5bc6bdf95983377947bca2fc829cc8ea5f2a59cc7",
    "socialnetwork": "1ab700090ed7f3fcbac6585409ee87266a3664c8a1edfcae3576851494f40397",
}


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("domain", DIGESTS)
def test_a_published_data_bin_has_the_bytes_it_had(
    data_dir: Path, tmp_path: Path, domain: str
) -> None:
    assert (
        main(
            ["prepare", "--raw", str(data_dir), "--domain", domain, "--dest", str(tmp_path / "db")]
        )
        == 0
    )
    digest = hashlib.sha256()
    for path in sorted((tmp_path / "db").rglob("*")):
        if path.is_file() and path.name != "manifest.json":
            digest.update(path.relative_to(tmp_path / "db").as_posix().encode() + path.read_bytes())
    assert digest.hexdigest() == DIGESTS[domain]
