/** The numbers behind the charts. */

import type { UsageRow } from '@chancery/contract/models/usage.ts'
import { formatNumber } from '#lib/text/numbers.ts'
import { type Column, Table } from '#ui/table/table.tsx'

const columnsOf = (head: string): Column<UsageRow>[] => [
  { head, sort: ({ label }) => label, cell: ({ label }) => <span className="font-medium">{label}</span> },
  { head: 'Requests', sort: ({ requests }) => requests, cell: ({ requests }) => formatNumber(requests) },
  {
    head: 'Failed',
    sort: ({ failures }) => failures,
    cell: ({ failures }) =>
      failures === 0 ? <span className="text-faint">0</span> : <b className="text-bad">{formatNumber(failures)}</b>,
  },
  {
    head: 'Input tokens',
    sort: ({ prompt_tokens }) => prompt_tokens,
    cell: ({ prompt_tokens }) => formatNumber(prompt_tokens),
  },
  {
    head: 'Output tokens',
    sort: ({ completion_tokens }) => completion_tokens,
    cell: ({ completion_tokens }) => formatNumber(completion_tokens),
  },
]

export const UsageTable = ({ head, rows }: { head: string; rows: readonly UsageRow[] }) => (
  <Table label={`Usage by ${head.toLowerCase()}`} columns={columnsOf(head)} rows={rows} keyOf={({ group }) => group} />
)
