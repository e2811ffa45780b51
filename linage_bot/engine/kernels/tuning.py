"""The parameters of the search that can be tuned; each kernel has those that won its matches."""

import attrs


@attrs.frozen
class Tuning:
    """The parameters of the tree search; docs/search/notebook.md describes how they were found."""

    exploration: float = 0.1  # weight of the upper confidence term
    expand_at: int = 8  # visits at which a leaf gets children
    plays: int = 1  # playouts from a leaf; one thread plays its first visits one by one
    rave: bool = True  # all-moves-as-first statistics; False: plain UCT
    rave_bias: float = 0.001  # speed at which they give way to a move's own playouts
    colour_blind: bool = False  # a stone counts as played by both (stones have no colour)
    pass_loss: float = 0.2  # initial difference between the values of an average move and a pass
    pass_follows: bool = False  # whether a pass keeps that difference as the node's mean changes
    score_weight: float = 0.0  # share of the score lead in a playout's value; the rest: win or loss
    score_scale: float = 10.0  # score lead in points that counts three quarters of a huge one
    leaves_idle: bool = False  # whether moves whose prior is `IDLE` are not searched
    prior_visits: int = 0  # samples that a move starts with because of its prior; 0: none
    prior_slope: float = 0.1  # loss in their value for each point that the best prior is higher
    network_samples: int = 50  # samples that a move gets with a network's prior
    network_slope: float = 0.05  # loss in their value for a prior that is lower by the factor e


PLAIN_UCT = Tuning(exploration=0.4, rave=False)
