// Words of business and of databases that people use for each other, and abbreviations that stand in names.

import { stemOf } from "../../../../kernel/text/words.ts";

/** Each line is a group, of which any word may be asked for by any other. */
const GROUPS = `
account acct
address addr
advertising ad promotion
agreement contract policy
amount amt sum value
approval consent permission
article item product good merchandise
average avg mean
bill invoice
birthday birth birthdate dob
buyer client customer cust purchaser
bought buy purchase
chose choose chosen selected
cancelled terminated revoked
candidate applicant
car vehicle van truck lorry fleet
cart basket
catastrophe disaster
category group taxonomy class
center centre
churn cancel attrition lapse
city town municipality
code cd
colour color
comment description desc remark note
company organization organisation org firm business
complaint ticket request issue case
computer laptop device
cost expense spend spending expenditure
count number quantity qty no nr num cnt
country nation
course training
currency fx forex exchange
date dt day
department dept division
deploy release rollout
discount rebate reduction
duration length long
earnings revenue turnover income sales
email mail newsletter
employee staff personnel worker workforce emp
end close expiry
event occurrence incident happening
expire expiration
fee commission charge
feedback review rating
first given
forename given
gender sex
holiday vacation leave absence
hotline call phone
hour time
house building property home
id identifier key
illness sick sickness
image picture photo
inventory stock
job position vacancy role
last family surname
late delayed overdue
left leave
latitude lat
lead prospect
license licence
location place site geography geographic
longitude lon lng
loss damage
manager mgr supervisor
margin profit
max maximum highest
member subscriber
message msg
min minimum lowest
money payment amount
month mth
name title
offer quote quotation proposal
open start begin
order purchase
outage incident downtime
owner holder
parcel package shipment
partner affiliate reseller
paid pay payment
pay salary wage compensation remuneration payroll
payment transaction payout
percent pct percentage rate share ratio
person people individual
phone telephone tel mobile
plan budget planned
postal zip postcode
premium premia
price cost
quit left leave resign
rating star score
reason cause
reduction discount
refund reimbursement
region territory area
reply answer response
reserve reserved provision
resolved solved closed settled
retention retain loyalty
return returned
seller vendor supplier
sent send
sold sell sale
serial sn
session visit
settle settlement close resolve
shipment shipping delivery dispatch freight
size dimension
source origin
state status
street road address
subscription plan
tax vat
telephone phone
term word keyword query
test experiment
transit delivery
user visitor
voucher coupon
warehouse depot
website web site
weight mass
year yr annual
`;

/** Forms of questions that ask for something without its name. */
const FORMS: readonly (readonly [form: RegExp, words: string])[] = [
  [/\bhow many\b|\bnumber of\b/i, "count"],
  [/\bhow much\b/i, "amount total"],
  [/\bhow long\b/i, "duration days"],
  [/\bhow old\b/i, "age year birth"],
  [/\bhow often\b/i, "count frequency"],
  [/\bwhere\b/i, "location address city"],
  [/\bwho\b/i, "person name"],
  [/\bwhen\b/i, "date time"],
];

const synonyms = new Map<string, Set<string>>();
for (const group of GROUPS.trim().split("\n")) {
  const stems = group.split(" ").map(stemOf);
  for (const stem of stems) {
    const known = synonyms.get(stem) ?? new Set();
    for (const other of stems) if (other !== stem) known.add(other);
    synonyms.set(stem, known);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Stems of what else people say for a stem. */
export const synonymsOf = (stem: string): ReadonlySet<string> => synonyms.get(stem) ?? NONE;

/** Words for what a question asks without naming it, as a count for `how many`. */
export const impliedWordsOf = (question: string): string[] =>
  FORMS.flatMap(([form, words]) => (form.test(question) ? words.split(" ") : []));
