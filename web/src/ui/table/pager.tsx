/** Goes from one page of a list to the next. */
import { mostCounted } from '@chancery/contract/lists.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'

interface PagerProps {
  page: number
  limit: number
  total: number
  onPage: (page: number) => void
}

export const lastPage = (total: number, limit: number): number => Math.max(1, Math.ceil(total / limit))

const totalText = (total: number): string =>
  total > mostCounted ? `${mostCounted.toLocaleString('en')}+` : String(total)

export function Pager({ page, limit, total, onPage }: PagerProps) {
  const last = lastPage(total, limit)
  if (last === 1) return null
  const from = (page - 1) * limit + 1
  return (
    <nav aria-label="Pages" className="flex items-center justify-between border-t px-5 py-2">
      <p className="figures text-faint text-sm">
        {from}–{Math.min(page * limit, total)} of {totalText(total)}
      </p>
      <div className="flex gap-1">
        <IconButton label="Previous page" icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)} />
        <IconButton label="Next page" icon={ChevronRight} disabled={page >= last} onClick={() => onPage(page + 1)} />
      </div>
    </nav>
  )
}
