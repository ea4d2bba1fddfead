/** The organization's quotas, for its admins to read. */
import type { QuotaUse } from '@chancery/contract/organizations/quotas.ts'
import { QuotaUsed } from '#data/quota-used.tsx'
import { limitWords, quotaTitle, sourceWords } from '#data/quota-words.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { useQuotas } from './api.ts'

const columns: Column<QuotaUse>[] = [
  { head: 'Counted', cell: (quota) => <span className="font-medium">{quotaTitle(quota)}</span> },
  { head: 'Used', cell: (quota) => <QuotaUsed quota={quota} /> },
  { head: 'Limit', cell: ({ most }) => <span className="figures">{limitWords(most)}</span> },
  { head: 'From', isWideOnly: true, cell: sourceWords },
]

export function QuotasPanel() {
  return (
    <Panel
      title="Quotas"
      hint="What your organization may take of what all share. Your platform admin can change a limit."
      isFlush
    >
      <QueryTable
        label="Quotas"
        query={useQuotas()}
        columns={columns}
        keyOf={({ name }) => name}
        empty={<Empty title="No quotas" hint="Nothing is limited here." />}
      />
    </Panel>
  )
}
