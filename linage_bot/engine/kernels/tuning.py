"""What can be tuned in the search; each kernel brings the values that won its matches."""

import attrs


@attrs.frozen
class Tuning:
    """Parameters of the tree search. How they were found is told in docs/search/notebook.md."""

    exploration: float = 0.1  # weight of the upper confidence term
    expand_at: int = 8  # visits at which a leaf gets children
    rave: bool = True  # all-moves-as-first statistics; False: plain UCT
    rave_bias: float = 0.001  # how fast they give way to a move's own playouts
    colour_blind: bool = False  # a stone counts as played by both (stones have no colour)
    pass_loss: float = 0.2  # how much worse than an average move a pass is taken to be at first
    pass_follows: bool = False  # and so later on, too, as the mean of the others changes
    score_weight: float = 0.0  # share of the margin in a playout's value, the rest is win or loss
    score_scale: float = 10.0  # points of margin at which that share is three quarters spent
    leaves_idle: bool = False  # whether moves that promise to be `IDLE` are not searched
    prior_visits: int = 0  # samples that a move gets at first from what it promises; 0: none
    prior_slope: float = 0.1  # how much less they are worth for each point promised less


PLAIN_UCT = Tuning(exploration=0.4, rave=False)
