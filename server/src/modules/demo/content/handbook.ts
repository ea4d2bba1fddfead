/** The collections that chats cite. Short on purpose: a person can read them and see whether an answer is right. */
export interface Collection {
  name: string
  description: string
  owner: string
  files: Readonly<Record<string, string>>
}

export const collections: readonly Collection[] = [
  {
    name: 'Employee handbook',
    description: 'Leave, travel, equipment and how we work. Owned by People.',
    owner: 'aisha',
    files: {
      'Leave and absence.md': `# Leave and absence

## Holiday
Everybody has 30 days of paid holiday a year, from the first of January. People who join during the year get a twelfth for each full month. Up to five days may be carried over and are lost at the end of March.

Ask your lead at least two weeks before, and enter the days in the calendar once they have agreed.

## Sick leave
Tell your lead before ten in the morning. A doctor's note is needed from the fourth day on. Send it to people@marlow.demo.example, not to your lead.

## Parental leave
Both parents may take up to fourteen months together. Tell us seven weeks before it starts. Marlow adds four weeks at full pay for either parent.
`,
      'Travel and expenses.md': `# Travel and expenses

Book trains in second class up to three hours, in first class for longer trips. Flights need the consent of Finance, except to origin countries.

## Limits
| | per person |
| --- | --- |
| Hotel in Germany | 130 € a night |
| Hotel abroad | 170 € a night |
| Meals with customers | 45 € |
| Daily allowance abroad | by the table of the tax office |

Hand in receipts within 30 days. Finance pays them on the 10th and the 25th of each month. Expenses above 2,500 € need a second approval.
`,
      'Remote work.md': `# Remote work

The office team may work from home on up to three days a week. Tuesdays are for meeting each other: please come in. Roastery shifts are on site.

Working from another country of the European Union is possible for up to 20 days a year. Ask People four weeks before, because of social insurance. Outside of the Union it isn't possible.

Everybody gets 600 € once for a desk, a chair and a screen.
`,
      'First weeks.md': `# Your first weeks

- **Day 1**: laptop, keys, a cup of coffee with your buddy. Sign the equipment agreement.
- **Week 1**: meet every team, spend one shift in the roastery, learn to cup.
- **Day 30**: first conversation with your lead about what works and what doesn't.
- **Day 90**: goals for the year.

Your buddy isn't your lead. Ask them anything.
`,
    },
  },
  {
    name: 'Roasting and quality',
    description: 'Profiles, cupping protocol and what to do when a batch is off.',
    owner: 'tomás',
    files: {
      'Cupping protocol.md': `# Cupping protocol

8.25 g on 150 ml of water at 93 °C. Break the crust after four minutes, taste from ten minutes on, at three temperatures.

Score fragrance, flavour, aftertaste, acidity, body and balance from 6 to 10. A lot below **82 points** isn't bought. Two people score without talking; a difference of more than two points means a third cup.
`,
      'When a batch is off.md': `# When a batch is off

1. Stop the line and mark the batch in red. Nothing of it leaves the building.
2. Keep 300 g as a sample, with date, roaster and batch number.
3. Compare the curve with the profile: charge temperature, turning point, first crack, development time. Development below 18 % tastes grassy, above 25 % flat.
4. Cup it against the reference the same day.
5. If it went to customers already, call Sales before noon. We replace it without asking for it back.

Moisture of green coffee must be between 10 and 12 %. Above that it isn't roasted.
`,
      'Storage of green coffee.md': `# Storage of green coffee

At 18 to 22 °C and 55 to 60 % humidity, on pallets, 40 cm from the wall. First in, first out: no lot is older than ten months.

Bags are sampled on arrival and each quarter. Water activity above 0.60 is reported to the supplier within five working days; after that the contract lets them refuse a claim.
`,
    },
  },
]
