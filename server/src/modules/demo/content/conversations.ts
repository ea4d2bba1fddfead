/** Chats of the company, as they were written and answered. */
export interface Source {
  file: string
  passage: string
}

export interface Turn {
  ask: string
  answer: string
  sources?: readonly Source[]
  rating?: 'good' | 'bad'
}

export interface Conversation {
  owner: string
  title: string
  model: string
  /** How long ago it was answered, in hours. */
  ago: number
  folder?: string
  tags?: readonly string[]
  pinned?: true
  archived?: true
  shared?: true
  turns: readonly Turn[]
}

const mistral = 'mistral-small'
const llama = 'llama3.3:70b'
const coder = 'qwen3-coder:30b'

const leave = 'Leave and absence.md'
const travel = 'Travel and expenses.md'
const remote = 'Remote work.md'
const off = 'When a batch is off.md'
const cupping = 'Cupping protocol.md'
const storage = 'Storage of green coffee.md'

export const conversations: readonly Conversation[] = [
  {
    owner: 'maya',
    title: 'Holiday in the first year',
    model: mistral,
    ago: 0.7,
    tags: ['handbook'],
    turns: [
      {
        ask: 'Theo started on the 1st of November. How many days of holiday does he have until December, and can he take them over into next year?',
        answer: `Theo has **5 days** this year.

- A full year is 30 days, and people who join during the year get a twelfth for each full month [1]. November and December are two twelfths: 30 ÷ 12 × 2 = 5 days.
- He may carry all five over, since up to five days are allowed. They are lost at the end of March [1].`,
        sources: [
          {
            file: leave,
            passage:
              'Everybody has 30 days of paid holiday a year, from the first of January. People who join during the year get a twelfth for each full month. Up to five days may be carried over and are lost at the end of March.',
          },
        ],
        rating: 'good',
      },
      {
        ask: 'And who does he have to ask?',
        answer:
          'His lead, at least two weeks before. Once they have agreed, he enters the days in the calendar himself [1].',
        sources: [
          {
            file: leave,
            passage:
              'Ask your lead at least two weeks before, and enter the days in the calendar once they have agreed.',
          },
        ],
      },
    ],
  },
  {
    owner: 'maya',
    title: 'Working from Lisbon in February',
    model: mistral,
    ago: 21,
    folder: 'People',
    tags: ['handbook', 'remote work'],
    turns: [
      {
        ask: 'Chiara wants to work from Lisbon for all of February. Is that possible under our rules?',
        answer: `Almost. February has 20 working days, and the rule allows **up to 20 days a year** within the European Union [1], so it would use up the whole year's share.

She has to ask People **four weeks before**, because of social insurance [1]. For February that means by the first days of January.

One thing to agree on: everybody is expected in the office on Tuesdays [1]. The handbook says nothing about people who are abroad, so I would settle it with her lead.`,
        sources: [
          {
            file: remote,
            passage:
              'Working from another country of the European Union is possible for up to 20 days a year. Ask People four weeks before, because of social insurance. Outside of the Union it isn’t possible.',
          },
          { file: remote, passage: 'Tuesdays are for meeting each other: please come in.' },
        ],
        rating: 'good',
      },
    ],
  },
  {
    owner: 'maya',
    title: 'Answer to Kirimiro Growers',
    model: llama,
    ago: 27,
    folder: 'Suppliers',
    tags: ['contracts', 'origin'],
    pinned: true,
    turns: [
      {
        ask: 'Kirimiro declined our supply agreement because a delivery in June is too early for their harvest. Write a short answer that offers July and keeps the price.',
        answer: `> Dear Aline,
>
> thank you for telling us so plainly. You know your harvest and we don't: let's move the second delivery to **the second half of July**. The price and the other terms stay as they are.
>
> I will send you the new agreement tomorrow. If the first delivery in March is difficult as well, tell me before you sign.
>
> Warm regards
> Maya

It is friendly without being long, says exactly what changes, and closes the door on a second round about the price.`,
      },
      {
        ask: 'Good. A subject line?',
        answer: '**Second delivery in July – new agreement follows**',
      },
    ],
  },
  {
    owner: 'maya',
    title: 'Agenda for the strategy day',
    model: llama,
    ago: 49,
    folder: 'Planning',
    tags: ['planning'],
    pinned: true,
    shared: true,
    turns: [
      {
        ask: 'Twelve people, one day, one question: do we open a second shop or put the money into the online shop? Suggest an agenda that ends with a decision.',
        answer: `| Time | What | Who |
| --- | --- | --- |
| 9:00 | The question, and what would make it a good day | Maya |
| 9:20 | Numbers: shop, offices, online, three years | Jonas |
| 10:15 | Two teams write the best case for one side each | all |
| 11:45 | Teams swap and look for the weakest point of the other | all |
| 13:30 | Silent voting with a reason, then the three strongest reasons aloud | all |
| 14:15 | What would we have to believe? One page for each option | two teams |
| 15:30 | **Decision**, first steps, names and dates | Maya |

Two hints:

1. Send the numbers two days before. An hour of first looks at a table is the most expensive hour of the day.
2. Say in the morning who decides. If it is you, say so: people argue better when they know whom they have to convince.`,
        rating: 'good',
      },
      {
        ask: 'Make the two teams mixed: nobody argues for what they do every day.',
        answer: `- **Second shop**: Priya, Elif, Daniel, Aisha, Hanna, Samuel
- **Online shop**: Jonas, Tomás, Oliver, Chiara, Theo, you as a listener

Oliver and Chiara sell in person and have to argue for the web, Daniel runs the online shop and argues for bricks. Finance is on both sides: the numbers belong to nobody.`,
      },
    ],
  },
  {
    owner: 'maya',
    title: 'What changed in the packaging law',
    model: llama,
    ago: 98,
    tags: ['law'],
    turns: [
      {
        ask: 'Explain the new packaging rules to somebody who sells coffee in bags and to cafés in buckets. Half a page.',
        answer: `In one sentence: **who fills packaging pays for what becomes of it**, and has to show that it is less, reusable, or can be recycled.

- **Bags for consumers** count as sales packaging. The laminate of foil and plastic is the problem: mixed materials are hard to recycle, and fees will depend on that. Bags of a single material cost more today and less in fees.
- **Buckets for cafés** that come back and are filled again are reusable packaging, if you take them back in fact and can show how often. Keep a list: out, back, lost.
- **Labels**: from the dates in the regulation on, material and sorting instructions have to be on the bag. A QR code may carry the rest.

I am not a lawyer and the dates move. Ask your packaging partner for a declaration of conformity for each bag: you will need it anyway.`,
      },
    ],
  },
  {
    owner: 'maya',
    title: 'Interview questions for a roaster',
    model: mistral,
    ago: 190,
    folder: 'People',
    tags: ['hiring'],
    turns: [
      {
        ask: 'Six questions for an interview with a roaster. No riddles.',
        answer: `1. Tell us about a batch that went wrong. What did you notice first, and what did you do in the next ten minutes?
2. You get a new green coffee without any notes. How do you find the first profile?
3. Two colleagues score the same cup four points apart. What happens next?
4. Which part of your work would you never leave to a machine, and which at once?
5. It is ten in the morning, an order has to leave at noon, and the moisture of the lot is 12.6 %. What do you say to Sales?
6. What did you learn from somebody in the last year?

Question 5 has a right answer in your quality handbook: it isn't roasted. You will see how people say no.`,
        rating: 'good',
      },
    ],
  },
  {
    owner: 'maya',
    title: 'Numbers for the board in plain words',
    model: llama,
    ago: 340,
    folder: 'Planning',
    tags: ['planning', 'finance'],
    turns: [
      {
        ask: 'Revenue up 14 %, gross margin down from 46 to 43 %, cash down by 180,000 €. Say in three sentences what happened. Green coffee cost 22 % more, and we paid for the second roaster.',
        answer:
          'We sold 14 % more than last year, but each euro of it earned us less: green coffee cost 22 % more, and we passed on only a part of that, so our margin fell from 46 to 43 %. Cash is 180,000 € lower, mostly because we paid for the second roaster, which is there to stay. The question for next year is therefore not whether we grow, but at which price.',
      },
    ],
  },
  {
    owner: 'maya',
    title: 'Old notes on the trade fair',
    model: mistral,
    ago: 640,
    archived: true,
    turns: [
      {
        ask: 'Put these notes into an order: booth 4, talks, whom to call.',
        answer: 'Booth first, then the talks, then calls by region.',
      },
    ],
  },
  {
    owner: 'aisha',
    title: 'Sick leave: from which day on?',
    model: mistral,
    ago: 5,
    tags: ['handbook'],
    turns: [
      {
        ask: 'From which day do we ask for a note, and where is it sent?',
        answer:
          'From the **fourth day** on. It goes to people@marlow.demo.example and not to the lead, who is only told before ten in the morning [1].',
        sources: [
          {
            file: leave,
            passage:
              'Tell your lead before ten in the morning. A doctor’s note is needed from the fourth day on. Send it to people@marlow.demo.example, not to your lead.',
          },
        ],
        rating: 'good',
      },
    ],
  },
  {
    owner: 'jonas',
    title: 'Is this hotel within the limit?',
    model: mistral,
    ago: 3,
    tags: ['expenses'],
    turns: [
      {
        ask: 'Oliver paid 164 € a night in Copenhagen. Do we pay all of it?',
        answer:
          'Yes. The limit abroad is **170 € a night** [1]. He needs to hand in the receipt within 30 days to be paid on the 10th or the 25th [1].',
        sources: [
          { file: travel, passage: '| Hotel in Germany | 130 € a night |\n| Hotel abroad | 170 € a night |' },
          {
            file: travel,
            passage: 'Hand in receipts within 30 days. Finance pays them on the 10th and the 25th of each month.',
          },
        ],
      },
    ],
  },
  {
    owner: 'jonas',
    title: 'SQL for open invoices by age',
    model: coder,
    ago: 73,
    tags: ['reports'],
    turns: [
      {
        ask: 'PostgreSQL: open invoices by age, in groups of 0–30, 31–60, 61–90 and more days. Table invoices(id, due_on, paid_on, amount).',
        answer: `\`\`\`sql
select
  case
    when age <= 30 then '0–30'
    when age <= 60 then '31–60'
    when age <= 90 then '61–90'
    else 'above 90'
  end as days,
  count(*) as invoices,
  sum(amount) as amount
from (
  select amount, current_date - due_on as age
  from invoices
  where paid_on is null and due_on < current_date
) as late
group by 1
order by min(age);
\`\`\`

\`min(age)\` keeps the groups in their order; by name, \`above 90\` would come last only by luck.`,
        rating: 'good',
      },
    ],
  },
  {
    owner: 'tomás',
    title: 'Batch 2291 tastes of hay',
    model: mistral,
    ago: 8,
    tags: ['quality'],
    pinned: true,
    turns: [
      {
        ask: 'Batch 2291 tastes grassy, like hay. Development was 16.5 %. What do I do, and may it leave the house?',
        answer: `It may **not** leave. Stop the line, mark the batch in red and keep 300 g as a sample with date, roaster and batch number [1].

The cause fits: below 18 % of development coffee tastes grassy [1]. Compare charge temperature, turning point and first crack with the profile, then cup it against the reference today [1].

If some of it went to customers already, call Sales before noon [1].`,
        sources: [
          { file: off, passage: 'Stop the line and mark the batch in red. Nothing of it leaves the building.' },
          {
            file: off,
            passage:
              'Compare the curve with the profile: charge temperature, turning point, first crack, development time. Development below 18 % tastes grassy, above 25 % flat.',
          },
        ],
        rating: 'good',
      },
    ],
  },
  {
    owner: 'elif',
    title: 'How old may a lot be?',
    model: mistral,
    ago: 30,
    tags: ['quality'],
    turns: [
      {
        ask: 'We still have Bourbon from last January. May I roast it?',
        answer:
          'No lot should be older than **ten months** [1]. Take a sample, cup it, and ask Tomás; below 82 points it wouldn’t be bought today either [2].',
        sources: [
          { file: storage, passage: 'First in, first out: no lot is older than ten months.' },
          { file: cupping, passage: 'A lot below **82 points** isn’t bought.' },
        ],
      },
    ],
  },
  {
    owner: 'chiara',
    title: 'Newsletter about the new filter coffee',
    model: llama,
    ago: 52,
    tags: ['marketing'],
    turns: [
      {
        ask: 'A short newsletter about our new filter coffee from Burundi. No superlatives.',
        answer: `**New in the filter: Kirimiro, Burundi**

It tastes of red currant and black tea, and of a little honey when it gets cold. We have bought from these growers for three years; this is the first lot that dried on their own beds.

From Monday in the shop and online, 250 g for 9.80 €. On Saturday we brew it for everybody who asks.`,
        rating: 'good',
      },
    ],
  },
  {
    owner: 'oliver',
    title: 'Café Norrsken asks for 8 % off',
    model: llama,
    ago: 120,
    tags: ['sales'],
    turns: [
      {
        ask: 'They take 75 kg a month and want 8 % off. We give 4 % above 60 kg. How do I answer without losing them?',
        answer: `Give them something that costs you less than four per cent is worth to them:

1. Keep the **4 %**, for everybody above 60 kg. It is easy to explain.
2. Offer a **fixed price for twelve months**. Green coffee moves; peace of mind is worth more than another 4 %.
3. Add the **training of two baristas** a year.

*"I can't go to eight: then my price list means nothing to the others. What I can do is hold this price for a year, and train two of your people. Shall I send it for signature?"*`,
        rating: 'good',
      },
    ],
  },
  {
    owner: 'daniel',
    title: 'Redirects for the new shop',
    model: coder,
    ago: 150,
    tags: ['shop'],
    turns: [
      {
        ask: 'nginx: old product addresses /shop/p/123-name should go to /coffee/name, permanently.',
        answer: `\`\`\`nginx
location ~ ^/shop/p/\\d+-(?<name>[a-z0-9-]+)/?$ {
    return 301 /coffee/$name;
}
\`\`\`

Keep it for at least a year, and look at the log for 404s in the first week.`,
        rating: 'bad',
      },
    ],
  },
]

export const prompts: readonly { owner: string; command: string; content: string }[] = [
  {
    owner: 'maya',
    command: 'kind-no',
    content:
      'Write a friendly refusal to {{name}} about {{what}}. Two paragraphs, one honest reason, no promise for later.',
  },
  {
    owner: 'oliver',
    command: 'offer',
    content:
      'Write an offer to {{customer}} for {{kilograms}} kg a month. Our prices are in the price agreement. Below 150 words.',
  },
  {
    owner: 'tomás',
    command: 'cupping-notes',
    content: 'Turn these notes of a cupping into three sentences that a customer understands: {{notes}}',
  },
  {
    owner: 'aisha',
    command: 'job-ad',
    content:
      'Write a job advertisement for {{position}}: what you do, what you bring, what we give. No jargon, no list longer than five.',
  },
]

export const folders: readonly string[] = ['People', 'Suppliers', 'Planning']

export const customModel = {
  name: 'Handbook',
  description: 'Answers from the employee handbook. Made by People.',
  system:
    'You answer questions of employees of Marlow Coffee from the handbook alone, briefly, and say where it stands.',
}
