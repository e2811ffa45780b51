"""The connection to a Dask cluster."""

import pytest

pytest.importorskip("distributed", reason="needs the extra `cluster`")

from linage_bot.jobs.cluster import connected
from linage_bot.jobs.executor import ClusterGone

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own


@pytest.mark.thorough
def test_a_client_that_is_closed_has_lost_its_cluster() -> None:
    """A call of a closed client raises `ClusterGone`, as it may be closed by another thread."""
    with connected("local", 1) as client:
        assert list(client.threads().values()) == [1]
        client.close()
        with pytest.raises(ClusterGone):
            client.threads()
        with pytest.raises(ClusterGone):
            client.look(int)
