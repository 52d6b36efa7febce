# Written by `make generate`: the public names, as type checkers see them.

from edgewise.sensing.anomalies import (
    Baseline as Baseline,
    Flag as Flag,
    anomalies as anomalies,
    baseline as baseline,
    describe_anomalies as describe_anomalies,
)
from edgewise.sensing.anonymize import (
    Anonymizer as Anonymizer,
    crypto_pan as crypto_pan,
    permutation as permutation,
)
from edgewise.sensing.captures import iter_packets as iter_packets, read_packets as read_packets
from edgewise.sensing.chain import Chain as Chain, Stream as Stream
from edgewise.sensing.fits import (
    Fit as Fit,
    power_law as power_law,
    zipf_mandelbrot as zipf_mandelbrot,
)
from edgewise.sensing.folds import (
    Level as Level,
    Levels as Levels,
    Save as Save,
    Table as Table,
    Total as Total,
    WindowTable as WindowTable,
)
from edgewise.sensing.generate_traffic import Event as Event, generate_traffic as generate_traffic
from edgewise.sensing.heavy_hitters import (
    HeavyHitters as HeavyHitters,
    heavy_hitters as heavy_hitters,
)
from edgewise.sensing.keys import Key as Key, make_key as make_key, read_key as read_key
from edgewise.sensing.matrix import TrafficMatrix as TrafficMatrix, total as total
from edgewise.sensing.matrix_files import read_matrix as read_matrix, write_matrix as write_matrix
from edgewise.sensing.packet_batches import Tally as Tally
from edgewise.sensing.packets import Packets as Packets, assign_ids as assign_ids
from edgewise.sensing.pipeline import Sensing as Sensing, sense as sense
from edgewise.sensing.quantities import Distributions as Distributions, Quantities as Quantities
from edgewise.sensing.records import iter_records as iter_records, write_records as write_records
from edgewise.sensing.stages import chain as chain, window as window
from edgewise.sensing.udp import write_pcap as write_pcap
from edgewise.sensing.windows import Windows as Windows, build_windows as build_windows
