/** The numbers behind the plots. */

import type { UsageRow } from '@chancery/contract/usage.ts'
import { type Column, Table } from '#ui/table.tsx'
import { sayNumber } from './figures.ts'

const columnsOf = (head: string): Column<UsageRow>[] => [
  { head, cell: ({ label }) => <span className="font-medium">{label}</span> },
  { head: 'Requests', cell: ({ requests }) => sayNumber(requests) },
  {
    head: 'Failed',
    cell: ({ failures }) =>
      failures === 0 ? <span className="text-faint">0</span> : <b className="text-bad">{sayNumber(failures)}</b>,
  },
  { head: 'Tokens read', cell: ({ prompt_tokens }) => sayNumber(prompt_tokens) },
  { head: 'Tokens written', cell: ({ completion_tokens }) => sayNumber(completion_tokens) },
]

export const UsageTable = ({ head, rows }: { head: string; rows: readonly UsageRow[] }) => (
  <Table label={`Usage by ${head.toLowerCase()}`} columns={columnsOf(head)} rows={rows} keyOf={({ group }) => group} />
)
