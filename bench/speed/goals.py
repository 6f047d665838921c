"""What Handful set out to reach, by kind of work: times faster than the peer, unless it says otherwise."""

TRAIN = {
    "20news": {"dense": 25, "dense-fused": 9, "tuned": 4},
    "nips": {"dense": 12, "dense-fused": 8, "tuned": 4},
    "debian": {"dense": 20, "dense-fused": 12, "tuned": 6},
}
# Against the best of the peers.
FIT = 10
# The whole process against one forward pass: faster.
WHOLE_PROCESS = 1
# Episodes a second, 2 threads against 1.
SCALING = 1.7
# Times the least that memory and arithmetic allow, at most.
ROOFLINE = 2
