# Written by `make generate`: the public names, as type checkers see them.

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
from edgewise.sensing.keys import Key as Key, make_key as make_key, read_key as read_key
from edgewise.sensing.largest import Largest as Largest, largest as largest
from edgewise.sensing.matrix import TrafficMatrix as TrafficMatrix, total as total
from edgewise.sensing.matrix_files import load as load, save as save
from edgewise.sensing.packet_batches import Tally as Tally
from edgewise.sensing.packets import Packets as Packets, identify as identify
from edgewise.sensing.pipeline import Sensing as Sensing, sense as sense
from edgewise.sensing.quantities import Distributions as Distributions, Quantities as Quantities
from edgewise.sensing.records import open_records as open_records, write_records as write_records
from edgewise.sensing.stages import read as read, window as window
from edgewise.sensing.traffic import Event as Event, traffic as traffic
from edgewise.sensing.udp import write_pcap as write_pcap
from edgewise.sensing.unusual import (
    Flag as Flag,
    Usual as Usual,
    looks as looks,
    unusual as unusual,
    usual as usual,
)
from edgewise.sensing.windows import Windows as Windows, build_windows as build_windows
