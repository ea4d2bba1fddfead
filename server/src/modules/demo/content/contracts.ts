/** Texts to sign. A tag such as `{{sig:Supplier}}` is a field of that role. */
const signatures = (...roles: readonly string[]): string =>
  [
    '| Role | Signature | Date |',
    '| --- | --- | --- |',
    ...roles.map((role) => `| ${role} | {{sig:${role}}} | {{date:${role}}} |`),
  ].join('\n')

const nda = (other: string): string => `# Mutual confidentiality agreement

between **Marlow Coffee GmbH**, Speicherstraße 14, Hamburg ("Marlow"), and **${other}** ("the other side").

## 1. What is confidential
Prices, recipes, roasting profiles, customer lists and everything that is marked as confidential or that a reasonable person would treat as such. Not what is public, was known before, or was found independently.

## 2. What we promise each other
Both sides use confidential information only for working together, show it only to people who need it and are bound in the same way, and protect it as their own.

## 3. How long
This agreement ends two years after it was signed. What was shared stays confidential for three more years.

## 4. Law
German law applies. Disputes go to the courts of Hamburg.

${signatures('Marlow', 'Other side')}
`

const employment = (person: string, position: string): string => `# Employment contract

between **Marlow Coffee GmbH** and **${person}**.

## 1. Position
${person} is employed as **${position}** from the first of next month, for an unlimited time. The first six months are a probation period.

## 2. Hours and holiday
38 hours a week, 30 days of paid holiday a year.

## 3. Pay
The yearly salary is paid in twelve parts at the end of each month, as in the annex.

## 4. Notice
Four weeks to the end of a month, two weeks during probation.

${signatures('Marlow', 'Employee')}
`

const supply = (other: string, what: string): string => `# Supply agreement

**${other}** delivers ${what} to **Marlow Coffee GmbH** in the coming season.

| | |
| --- | --- |
| Quality | at least 84 points in two independent cuppings |
| Moisture | 10 to 12 % |
| Delivery | FOB, two containers, in March and in June |
| Payment | 40 % with the order, 60 % against documents |

1. The price is fixed at 5.40 USD per pound of green coffee.
2. A sample of each lot is sent four weeks before it is shipped.
3. Claims are made within five working days after arrival.

${signatures('Buyer', 'Supplier')}
`

const prices = (customer: string): string => `# Price agreement

For **${customer}**, valid for twelve months from the date of the last signature.

| Coffee | per kilogram |
| --- | --- |
| House espresso | 19.80 € |
| Filter of the month | 24.50 € |
| Decaf | 21.00 € |

Orders above 60 kg a month get 4 % off. Delivery in Hamburg is free.

${signatures('Marlow', 'Customer')}
`

const short = (title: string, body: string, ...roles: readonly string[]): string =>
  `# ${title}\n\n${body}\n\n${signatures(...roles)}\n`

export interface Signer {
  role: string
  /** The first name of somebody of the company, or an outsider. */
  who: string | { name: string; email: string }
}

export interface Contract {
  title: string
  folder: string
  owner: string
  message?: string
  markdown: string
  signers: readonly Signer[]
  /** What happened to it. `signed`: how many have. */
  fate: 'draft' | 'cancelled' | { signed: number } | { declined: string }
  template?: { title: string; roles: readonly string[] }
}

const outsider = (name: string, email: string) => ({ name, email })

export const contracts: readonly Contract[] = [
  {
    title: 'Confidentiality agreement – Halden Logistics',
    folder: 'Suppliers',
    owner: 'maya',
    markdown: nda('Halden Logistics AS'),
    signers: [
      { role: 'Marlow', who: 'maya' },
      { role: 'Other side', who: outsider('Ingrid Halden', 'ingrid@halden-logistics.demo.example') },
    ],
    fate: { signed: 2 },
    template: { title: 'Mutual confidentiality agreement', roles: ['Marlow', 'Other side'] },
  },
  {
    title: 'Supply agreement – Finca La Esperanza',
    folder: 'Suppliers',
    owner: 'tomás',
    markdown: supply('Finca La Esperanza', '320 bags of washed Caturra'),
    signers: [
      { role: 'Buyer', who: 'maya' },
      { role: 'Supplier', who: outsider('Lucía Morales', 'lucia@laesperanza.demo.example') },
    ],
    fate: { signed: 2 },
    template: { title: 'Supply agreement for green coffee', roles: ['Buyer', 'Supplier'] },
  },
  {
    title: 'Remote work agreement – Aisha Bello',
    folder: 'People',
    owner: 'maya',
    markdown: short(
      'Remote work agreement',
      'Aisha Bello works from home on up to three days a week. Marlow pays 600 € once for the desk, the chair and the screen. Either side may end this with four weeks notice.',
      'Marlow',
      'Employee',
    ),
    signers: [
      { role: 'Marlow', who: 'maya' },
      { role: 'Employee', who: 'aisha' },
    ],
    fate: { signed: 2 },
  },
  {
    title: 'Employment contract – Theo Brandt',
    folder: 'People',
    owner: 'aisha',
    message: 'Hello Theo, this is the contract we talked about. Call me if anything is unclear.',
    markdown: employment('Theo Brandt', 'Roaster'),
    signers: [
      { role: 'Marlow', who: 'maya' },
      { role: 'Employee', who: 'theo' },
    ],
    fate: { signed: 1 },
    template: { title: 'Employment contract', roles: ['Marlow', 'Employee'] },
  },
  {
    title: 'Price agreement – Café Norrsken',
    folder: 'Customers',
    owner: 'oliver',
    message: 'Here are the prices for the coming year, as agreed on Thursday.',
    markdown: prices('Café Norrsken'),
    signers: [
      { role: 'Customer', who: outsider('Elsa Norberg', 'elsa@norrsken.demo.example') },
      { role: 'Marlow', who: 'maya' },
    ],
    fate: { signed: 1 },
  },
  {
    title: 'Equipment agreement – laptop and keys',
    folder: 'People',
    owner: 'aisha',
    markdown: short(
      'Equipment agreement',
      'I received a laptop, a phone and two keys. I give them back on my last day. Damage and loss are reported the same day.',
      'Employee',
    ),
    signers: [{ role: 'Employee', who: 'maya' }],
    fate: { signed: 0 },
  },
  {
    title: 'Supply agreement – Kirimiro Growers',
    folder: 'Suppliers',
    owner: 'maya',
    markdown: supply('Kirimiro Growers Cooperative', '180 bags of natural Bourbon'),
    signers: [
      { role: 'Supplier', who: outsider('Aline Niyonkuru', 'aline@kirimiro.demo.example') },
      { role: 'Buyer', who: 'maya' },
    ],
    fate: { declined: 'The second delivery in June is too early for our harvest. July would work.' },
  },
  {
    title: 'Price agreement – Hotel Alsterblick',
    folder: 'Customers',
    owner: 'chiara',
    markdown: prices('Hotel Alsterblick'),
    signers: [
      { role: 'Marlow', who: 'oliver' },
      { role: 'Customer', who: outsider('Matthias Krüger', 'm.krueger@alsterblick.demo.example') },
    ],
    fate: { signed: 0 },
  },
  {
    title: 'Lease of the warehouse – extension',
    folder: 'Property',
    owner: 'maya',
    markdown: short(
      'Extension of a lease',
      'The lease of the warehouse at Speicherstraße 14 goes on for five years. The rent is 11.20 € per square metre.',
      'Tenant',
      'Landlord',
    ),
    signers: [
      { role: 'Tenant', who: 'maya' },
      { role: 'Landlord', who: outsider('Birgit Sander', 'sander@hafenimmobilien.demo.example') },
    ],
    fate: 'cancelled',
  },
  {
    title: 'Statement of work – new online shop',
    folder: 'Suppliers',
    owner: 'maya',
    markdown: short(
      'Statement of work',
      'Studio Fjord designs and builds the new online shop in twelve weeks, in three parts that are each accepted before the next begins.',
      'Client',
      'Contractor',
    ),
    signers: [
      { role: 'Client', who: 'maya' },
      { role: 'Contractor', who: outsider('Nils Fjord', 'nils@studiofjord.demo.example') },
    ],
    fate: 'draft',
  },
  {
    title: 'Data processing agreement – newsletter',
    folder: 'Suppliers',
    owner: 'maya',
    markdown: short(
      'Data processing agreement',
      'Postwave sends our newsletter and processes names and email addresses of subscribers for this alone. It deletes them within 30 days after the contract ends.',
      'Controller',
      'Processor',
    ),
    signers: [
      { role: 'Controller', who: 'maya' },
      { role: 'Processor', who: outsider('Rosa Klein', 'rosa@postwave.demo.example') },
    ],
    fate: 'draft',
  },
]
