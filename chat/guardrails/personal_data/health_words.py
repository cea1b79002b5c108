"""The words by which a text is known to tell of somebody's health, as data. Lower case.

Each is a regular expression of whole words. An illness counts only beside a person and what
befalls people: "diabetes" alone is a subject, "my diabetes" is somebody's.
"""

from __future__ import annotations

# Illnesses, injuries and conditions.
ILLNESSES: tuple[str, ...] = (
    r"(?:[a-z]{2,14} )?cancers?", r"tumou?rs?", r"leuka?emia", r"lymphoma", r"melanoma",
    r"(?:type (?:1|2|one|two) )?diabetes", r"diabetic", r"hiv", r"aids", r"hepatitis(?: [abc])?",
    r"covid(?:[- ]19)?", r"long covid", r"tuberculosis", r"pneumonia", r"influenza", r"the flu",
    r"a (?:bad |heavy |terrible )?cold", r"chickenpox", r"shingles", r"malaria", r"sepsis",
    r"asthma", r"copd", r"bronchitis", r"allerg(?:y|ies)", r"epilepsy", r"seizures?", r"migraines?",
    r"(?:chronic |severe )?(?:back |joint |chest )?pain", r"fibromyalgia", r"arthritis", r"lupus",
    r"crohn'?s(?: disease)?", r"coeliac(?: disease)?", r"celiac(?: disease)?", r"ibs", r"colitis",
    r"endometriosis", r"pcos", r"thyroid (?:disease|problems?|condition)", r"an(?:a)?emia",
    r"high blood pressure", r"hypertension",
    r"heart (?:attack|disease|failure|condition|problems?)",
    r"(?:a )?stroke", r"kidney (?:disease|failure|stones?)", r"liver (?:disease|failure)",
    r"cirrhosis", r"multiple sclerosis", r"motor neurone? disease",
    r"parkinson'?s(?: disease)?", r"alzheimer'?s(?: disease)?", r"dementia", r"cerebral palsy",
    r"(?:severe |clinical |post ?natal |post-natal |postpartum )?depression",
    r"anxiety(?: disorder)?",
    r"panic (?:attacks?|disorder)", r"bipolar(?: disorder)?", r"schizophrenia", r"psychosis",
    r"ptsd", r"ocd", r"adhd", r"autism", r"dyslexia", r"anorexia", r"bulimia",
    r"an? eating disorder", r"(?:an? )?addiction", r"alcoholism", r"insomnia", r"burn ?out",
    r"an? (?:mental|nervous) breakdown",
    r"mental (?:illness|health (?:problems?|issues?|condition))",
    r"an? concussion", r"a brain injury", r"a (?:spinal|head) injury",
    r"a broken (?:leg|arm|hip|wrist|ankle|back|neck|foot|hand|collarbone|rib)",
    r"a miscarriage", r"an? (?:ectopic|high[- ]risk) pregnancy", r"pre-?eclampsia",
    r"an? (?:chronic|terminal|serious|rare|long[- ]term|life[- ]threatening|autoimmune|medical"
    r"|heart|skin|lung|kidney|genetic|neurological|mental health) (?:illness|disease|condition"
    r"|disorder)",
    r"an? (?:disability|impairment|learning disability|hearing loss|visual impairment)",
    r"(?:hearing|vision|sight|memory) (?:loss|impairment)",
)  # fmt: skip

# What a person has, besides an illness: treatment, and who gives it. After "my", "her" and so on.
CARE: tuple[str, ...] = (
    r"chemo(?:therapy)?", r"radiotherapy", r"radiation (?:therapy|treatment)", r"dialysis",
    r"surgery", r"(?:heart |hip |knee |eye |back |brain )(?:operation|surgery|transplant)",
    r"transplant", r"biopsy", r"mri", r"ct scan", r"ultrasound", r"x-?ray",
    r"blood (?:test|results?)",
    r"diagnosis", r"prognosis", r"illness", r"sickness", r"disability", r"pregnancy",
    r"miscarriage",
    r"medical (?:condition|history|records?|treatment|leave|bills?|emergency|appointment)",
    r"(?:doctor|gp|consultant|oncologist|cardiologist|neurologist|psychiatrist|psychologist"
    r"|therapist|counsell?or|surgeon|midwife|physio(?:therapist)?|dermatologist|gyna?ecologist)",
    r"(?:medication|meds|medicines?|prescriptions?|insulin|inhaler|antidepressants?|painkillers"
    r"|pills|wheelchair|pacemaker|hearing aids?|oxygen tank|stoma|prosthe(?:sis|tic)|guide dog)",
    r"(?:physical |cognitive |talking |speech |occupational |trauma )?therapy", r"rehab",
    r"hospital (?:stay|appointment|treatment|bed|bills?)", r"mental health", r"health (?:condition"
    r"|problems?|issues?)", r"symptoms?", r"c-?section",
)  # fmt: skip

# Medicines by name, after "on", "take", "taking", "prescribed".
MEDICINES: tuple[str, ...] = (
    r"insulin", r"metformin", r"warfarin", r"statins?", r"atorvastatin", r"sertraline", r"prozac",
    r"fluoxetine", r"citalopram", r"escitalopram", r"lexapro", r"zoloft", r"xanax", r"valium",
    r"diazepam", r"lithium", r"ritalin", r"adderall", r"morphine", r"codeine", r"tramadol",
    r"oxycodone", r"methadone", r"fentanyl", r"gabapentin", r"pregabalin", r"ozempic", r"wegovy",
    r"tamoxifen", r"steroids", r"prednisone", r"antibiotics", r"antidepressants?", r"painkillers",
    r"anti-?psychotics?", r"beta ?blockers?", r"blood thinners?", r"chemo(?:therapy)?", r"hrt",
    r"ivf", r"(?:strong |heavy |daily )?medications?", r"meds", r"dialysis",
    r"life support", r"oxygen",
)  # fmt: skip

# What somebody is, after "I am", "she is", "my wife is".
STATES: tuple[str, ...] = (
    r"pregnant", r"\d{1,2} (?:weeks|months) pregnant", r"expecting (?:a (?:baby|child)|twins)",
    r"disabled", r"blind", r"deaf", r"hard of hearing", r"partially sighted", r"visually impaired",
    r"hearing impaired", r"paraly[sz]ed", r"paraplegic", r"quadriplegic", r"an amputee",
    r"autistic", r"dyslexic", r"epileptic", r"diabetic", r"asthmatic", r"anorexic", r"suicidal",
    r"(?:clinically |severely )?depressed", r"bipolar", r"schizophrenic", r"terminally ill",
    r"seriously ill", r"critically ill", r"chronically ill", r"very ill", r"ill", r"sick",
    r"in (?:a )?hospital", r"in (?:intensive care|the icu|a coma|rehab|a hospice|hospice|labou?r)",
    r"hospitali[sz]ed", r"in a wheelchair", r"wheelchair[- ]bound", r"bedridden", r"on sick leave",
    r"off sick", r"on maternity leave", r"on dialysis", r"an alcoholic", r"an addict",
    r"hiv[- ]positive", r"in (?:remission|therapy|chronic pain|a lot of pain)",
    r"immunocompromised",
    r"having (?:surgery|an operation|chemo(?:therapy)?|a baby|treatment for [a-z]{3,14})",
    r"recovering from (?:surgery|an operation|an? [a-z]{3,12}|[a-z]{4,14})",
    r"undergoing (?:surgery|treatment|chemo(?:therapy)?|therapy|radiotherapy|ivf)",
)  # fmt: skip

# Who: the writer and people near them. A machine is never ill in a way that concerns anybody.
PEOPLE = (
    r"i|we|he|she|they|who"
    r"|(?:my|our|his|her|their) (?:[a-z]{2,12}[- ]){0,2}?(?:wife|husband|partner|spouse|mum|mom"
    r"|mother|dad|father|parents?|son|daughter|child|children|kids?|baby|brother|sister|siblings?"
    r"|grand(?:mother|father|ma|pa|son|daughter|parents?|child)|gran|nan|uncle|aunt|aunty|auntie"
    r"|cousin|nephew|niece|friend|neighbou?r|colleague|boss|employee|flatmate|girlfriend|boyfriend"
    r"|fianc[eé]e?|patient|client|customer|family|tenant|mate)"
)
OWNERS = r"my|our|his|her|their"

# Right after an illness or a care they make it a subject, a thing or a business.
SUBJECTS = (
    r"(?:charit(?:y|ies)|websites?|sites?|pages?|blogs?|apps?|research|cent(?:re|er)s?|clinics?"
    r"|foundation|awareness|helpline|hotline|forums?|insurance|plans?|polic(?:y|ies)|data|dataset"
    r"|compan(?:y|ies)|practices?|organi[sz]ation|campaign|project|store|shop|domain|database"
    r"|podcast|course|newsletter|portal|platform|software|server|business|startup|tracker"
    r"|magazine|association|society|support group|booking|bookings|checks?|start|storage|backup"
    r"|boot|standby|emails?|calls?|points?)"
)

# In other languages: whole phrases that need no more beside them.
ELSEWHERE: tuple[str, ...] = (
    r"(?:ich habe|ich leide an|bei mir wurde) (?:[a-zäöü]{2,12} )?(?:krebs|diabetes|depressionen"
    r"|epilepsie|hiv|einen herzinfarkt|einen schlaganfall)", r"ich bin (?:schwanger|krank|behindert"
    r"|schwerbehindert|depressiv|krankgeschrieben|im krankenhaus)",
    r"(?:j'ai|je souffre d[eu]|atteinte? d[eu]|souffre d[eu]) ?(?:un |une |le |d')?(?:cancer"
    r"|diab[eè]te"
    r"|d[eé]pression|[eé]pilepsie|vih|avc)", r"je suis (?:enceinte|malade|handicap[eé]e?"
    r"|hospitalis[eé]e?"
    r"|d[eé]pressi(?:f|ve))", r"(?:tengo|padezco|sufro de) (?:un |una )?(?:c[aá]ncer|diabetes"
    r"|depresi[oó]n|epilepsia|vih|asma)", r"estoy (?:embarazada|enferm[oa]|hospitalizad[oa]"
    r"|deprimid[oa])", r"ho (?:il|un) (?:cancro|tumore|diabete)|sono incinta",
)  # fmt: skip
