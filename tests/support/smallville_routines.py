"""Where the people of Smallville are by their routine: (from, to, place or area) by slug."""

ROUTINES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "isabella-rodriguez": (("8:00", "20:00", "Hobbs Cafe"),),
    "arthur-burton": (("17:00", "22:00", "The Rose and Crown Pub"),),
    "carmen-ortiz": (
        ("8:00", "13:00", "Harvey Oak Supply Store"),
        ("14:00", "18:00", "Harvey Oak Supply Store"),
    ),
    "tom-moreno": (("8:00", "17:00", "The Willows Market and Pharmacy"),),
    "john-lin": (("9:00", "17:00", "The Willows Market and Pharmacy"),),
    "mei-lin": (("10:00", "14:00", "Oak Hill College: classroom"),),
    "ayesha-khan": (
        ("10:00", "14:00", "Oak Hill College: classroom"),
        ("14:00", "16:45", "Oak Hill College"),
    ),
    "eddy-lin": (
        ("10:00", "13:00", "Oak Hill College: classroom"),
        ("14:00", "16:00", "Hobbs Cafe"),
    ),
    "wolfgang-schulz": (
        ("10:00", "12:00", "Oak Hill College: classroom"),
        ("6:00", "7:00", "Johnson Park"),
    ),
    "klaus-mueller": (
        ("8:00", "12:00", "Oak Hill College: library"),
        ("14:00", "16:30", "Oak Hill College: library"),
    ),
    "maria-lopez": (("13:00", "17:00", "Oak Hill College Dorm: Maria Lopez's room"),),
    "abigail-chen": (("9:30", "13:00", "Artists' co-living space"),),
    "rajiv-patel": (("10:30", "13:00", "Artists' co-living space"),),
    "latoya-williams": (("10:00", "12:00", "Artists' co-living space"),),
    "hailey-johnson": (("11:30", "14:00", "Artists' co-living space"),),
    "francisco-lopez": (("14:00", "16:00", "Artists' co-living space"),),
    "jennifer-moore": (("7:30", "10:30", "Moore family's house"),),
    "tamara-taylor": (("8:00", "11:00", "Tamara Taylor and Carmen Ortiz's house"),),
    "yuriko-yamamoto": (("8:30", "11:30", "Yuriko Yamamoto's house"),),
    "adam-smith": (("5:30", "8:30", "Adam Smith's house"),),
    "ryan-park": (("11:00", "16:00", "Hobbs Cafe"),),
    "giorgio-rossi": (("11:45", "13:30", "Hobbs Cafe"),),
    "carlos-gomez": (("8:30", "11:30", "Carlos Gomez's apartment"),),
    "sam-moore": (("7:30", "9:30", "Johnson Park"),),
}
