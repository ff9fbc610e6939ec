"""The public files ``scripts/download_data.sh`` fetches: pinned addresses and checksums."""

from __future__ import annotations

from dataclasses import dataclass

# Cao et al.'s repository: its last commit, the one that revised GeoGranno's rows, the one
# that brought the GeoGranno world, and its first.
CAO = "rhythmcao/unsup-two-stage-semantic-parsing"
CAO_LAST = "de75978"
CAO_REVISION = "61eb70f418b9a2ac2afc467834dd30dd96f7f762"
CAO_WORLD = "ea382f6e3da490195bef11493baf8dffd3f597fa"
CAO_FIRST = "f358ba646e93a8c193320175d9c1a98d9d35e890"
SEMPRE = "percyliang/sempre"
SEMPRE_COMMIT = "9178eb73226b75c0b209cdcf078927b83677042f"
HERZIG = "jonathanherzig/semantic-parsing-annotation"
HERZIG_COMMIT = "10049832f974d04818f9f8c51d50c426551de4fe"


@dataclass(frozen=True)
class PublicFile:
    """A file of a public repository.

    Args:
        target: where it goes under the data folder.
        repository: ``owner/name``.
        revisions: commits that hold it, tried in order; the checksum decides, so that a
            later revision with the same bytes is as good.
        path: inside the repository.
        sha256: of its bytes.
    """

    target: str
    repository: str
    revisions: tuple[str, ...]
    path: str
    sha256: str


PUBLIC_FILES = (
    PublicFile(
        "overnight/basketball.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/basketball.paraphrases.train.examples",
        "eac2464b74c4d2e0fbe250ce7bacce60f74789620ddfcb48079b83949c8088bd",
    ),
    PublicFile(
        "overnight/basketball.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/basketball.paraphrases.test.examples",
        "9bef6db80e269e6866d37cc873f38ed3dd1f850bc90cc3e99374b4ab42add4a5",
    ),
    PublicFile(
        "overnight/blocks.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/blocks.paraphrases.train.examples",
        "9955de17175dbf9909b52b06d6897387fb63ba9b8868e7bead48c76acd2ef463",
    ),
    PublicFile(
        "overnight/blocks.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/blocks.paraphrases.test.examples",
        "e873b0c898104dab7d026c4478bff6df70d3e3c7b3d33743e8b7336b27bea9b7",
    ),
    PublicFile(
        "overnight/calendar.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/calendar.paraphrases.train.examples",
        "dd3a7ea52c49ba28c2e3e9a2c636b5f41e6a66bc7f1243f6082cd5894136f6c2",
    ),
    PublicFile(
        "overnight/calendar.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/calendar.paraphrases.test.examples",
        "5c26b59b10ff30131e1197b4e24ddd3f8977e1c75dcfaa1ad306b479620d9b85",
    ),
    PublicFile(
        "overnight/housing.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/housing.paraphrases.train.examples",
        "ac1857775f3728ce2f45e87b264735a196f089fa5ae49ba82b9eb763c5d85b38",
    ),
    PublicFile(
        "overnight/housing.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/housing.paraphrases.test.examples",
        "3ecc6485274fa00339923e320b73c3c45a84763e99075c0d17aa28ee155379fa",
    ),
    PublicFile(
        "overnight/publications.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/publications.paraphrases.train.examples",
        "20a0bf10626eb3c6d43a238fce35a8b0c32c495987bed83ee9ac5535154556ae",
    ),
    PublicFile(
        "overnight/publications.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/publications.paraphrases.test.examples",
        "0821e639ac27c01367e396245846fea23eb5248f512139fd3e51b4ec2a5f875b",
    ),
    PublicFile(
        "overnight/recipes.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/recipes.paraphrases.train.examples",
        "1a2d5873d136685ddec2292fc9680fdf47335a32262b0e61cdf76f46294f0dc0",
    ),
    PublicFile(
        "overnight/recipes.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/recipes.paraphrases.test.examples",
        "9305df34e3b57f82ab0ea10652c492938921ec76f3019e1e2247bf297b8ecbc5",
    ),
    PublicFile(
        "overnight/restaurants.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/restaurants.paraphrases.train.examples",
        "5fe12eff78be499f73932268c437019c7e3d0b75f93cd057c2ad70f9cfc2f40e",
    ),
    PublicFile(
        "overnight/restaurants.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/restaurants.paraphrases.test.examples",
        "a7dacd527d916a0affe9cb51ff5a5830e9943edae9d7667b5cdcf7dd93513286",
    ),
    PublicFile(
        "overnight/socialnetwork.paraphrases.train.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/socialnetwork.paraphrases.train.examples",
        "7fe4f9de67529da4c7fbbc7a8d55551f83602b191980eea508a9739d82b860cd",
    ),
    PublicFile(
        "overnight/socialnetwork.paraphrases.test.examples",
        CAO,
        (CAO_LAST, CAO_REVISION, "HEAD"),
        "data/paraphrase/socialnetwork.paraphrases.test.examples",
        "068a7999f92e006cdc40711aa9697fe57ddbeecb34d2b841881c049095a7a5a9",
    ),
    PublicFile(
        "geogranno/geo_train.tsv",
        CAO,
        (CAO_REVISION,),
        "data/geo/geo_train.tsv",
        "a3e5dbe0307cfea975d03a97005ce83852a5c4b4cb4cec1ff99ea84c679b3997",
    ),
    PublicFile(
        "geogranno/geo_dev_54.tsv",
        CAO,
        (CAO_REVISION,),
        "data/geo/geo_dev.tsv",
        "4817f5da6a0151178dcc83f568b50d6c4a73c5765960e309c8bee97f21fbe39d",
    ),
    PublicFile(
        "geogranno/geo_dev.tsv",
        CAO,
        (CAO_FIRST,),
        "data/geo/geo_dev.tsv",
        "e74c6b977b29fad315a9a40fe86c11f4e9c01fa40807c5c1d89c1a6c8a2e3287",
    ),
    PublicFile(
        "geogranno/geo_test.tsv",
        CAO,
        (CAO_FIRST,),
        "data/geo/geo_test.tsv",
        "29cc4a21773a1b78bce45728af51c5942c9ed7d67b006423f0c0f8db2114b844",
    ),
    PublicFile(
        "geogranno/geo880.db",
        CAO,
        (CAO_WORLD,),
        "data/geo/geo880.db",
        "f826a7d8a5516fab8ea6a6b9fe523a1cf4c2b945cf3b507a4bfc698f6bea2f37",
    ),
    PublicFile(
        "geogranno/geo880.lexicon",
        CAO,
        (CAO_LAST, CAO_WORLD, "HEAD"),
        "data/geo/geo880.lexicon",
        "e1b657c8a3b4c9759d89116b215cc8ef0ac319d5bfd11dde6a2bcec8cb4c14a3",
    ),
    PublicFile(
        "grammar/overnight/general.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/general.grammar",
        "8a0e00512432e40a0fdabdbbc615451f115f50c154694c323ed8e8eff82aaea7",
    ),
    PublicFile(
        "grammar/overnight/geo880.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/geo880.grammar",
        "b1f1770902bcf6e12965e9a8d8d8945d4d96b58dbdbcfc59015f47aef9f21a12",
    ),
    PublicFile(
        "grammar/overnight/basketball.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/basketball.grammar",
        "8fcaf304690144968e2f4d66889732e8efb9f1a9d480545826a79ebe659964f3",
    ),
    PublicFile(
        "grammar/overnight/blocks.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/blocks.grammar",
        "83914a17a6ee1fb8e2c5f2667992a3091e87eb0d37f5df49b11fb7dc99160b8d",
    ),
    PublicFile(
        "grammar/overnight/calendar.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/calendar.grammar",
        "23ce1b54f4e8d879c0d190160a3406f14891e6faa446993d59596e3aaf7091d4",
    ),
    PublicFile(
        "grammar/overnight/housing.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/housing.grammar",
        "b387b2794588a5526872cb5bfb307e39c4cafd3fd73be559baaae0992f7058c8",
    ),
    PublicFile(
        "grammar/overnight/publications.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/publications.grammar",
        "edbba41099616b6b2d42185ccb2665363a421d6a2a313b4a9a807834af02ee68",
    ),
    PublicFile(
        "grammar/overnight/recipes.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/recipes.grammar",
        "370ad545965907a5ffc030f91b743e034df952514ad98c27b317ac5c12e93398",
    ),
    PublicFile(
        "grammar/overnight/restaurants.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/restaurants.grammar",
        "70047b97951ea62a1f5cbf79a98c06514b65b354572349e1804735abdc8213c6",
    ),
    PublicFile(
        "grammar/overnight/socialnetwork.grammar",
        SEMPRE,
        (SEMPRE_COMMIT,),
        "overnight/socialnetwork.grammar",
        "cac5c9705bd27539668a2a4f80955e9378fa2ed772b793f27bef9fa43b5c268a",
    ),
    PublicFile(
        "grammar/geogranno/general.grammar",
        HERZIG,
        (HERZIG_COMMIT,),
        "grammars/general.grammar",
        "ee4c5ece3a8168eabbeaf2df572aabbfc072238e09304b8386130f4f20b1615e",
    ),
    PublicFile(
        "grammar/geogranno/geo880.grammar",
        HERZIG,
        (HERZIG_COMMIT,),
        "grammars/geo880.grammar",
        "2ed4c585aeae1001809c7c5f90deec8668c16c4b6555106ebbc7a2a06c3d4670",
    ),
)

GLOVE_ADDRESS = "https://nlp.stanford.edu/data/glove.6B.zip"
GLOVE_MEMBER = "glove.6B.100d.txt"
GLOVE_DIM = 100
# GloVe's home page gives no checksum: some rows, by their first values.
GLOVE_ROWS = {
    "the": "-0.038194 -0.24487 0.72812",
    "of": "-0.1529 -0.24279 0.89837",
    "state": "0.0011835 -0.16506 1.2236",
    "meeting": "-0.45414 -0.55923 0.72432",
    "player": "0.12574 0.32509 1.113",
}
