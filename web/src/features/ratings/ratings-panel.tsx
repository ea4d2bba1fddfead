/** Ratings of replies: per model, and each rating with its reason. */

import { sharePagePath } from '@chancery/contract/chats/chats.ts'
import type { RatingList, RatingRow } from '@chancery/contract/chats/ratings.ts'
import { Download, ThumbsDown, ThumbsUp } from 'lucide-react'
import { buttonLook } from '#ui/button/button.tsx'
import { HrefLink, textLink } from '#ui/button/href-link.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { BareSelect } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import { type Column, Table } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { exportUrl, pageLimit, type RatingSearch, useRatings } from './api.ts'

interface RatingsPanelProps {
  search: RatingSearch
  onSearch: (search: RatingSearch) => void
  /** True if the reader can open chats that are shared in the organization. */
  canOpenShares: boolean
}

export function RatingsPanel({ search, onSearch, canOpenShares }: RatingsPanelProps) {
  const ratings = useRatings(search)
  const models = ratings.data?.models ?? []
  return (
    <>
      {models.length > 0 && (
        <Panel title="By model" isFlush>
          <Table label="Ratings by model" columns={modelColumns} rows={models} keyOf={({ model }) => model} />
        </Panel>
      )}
      <Panel title="Ratings" action={<Actions search={search} onSearch={onSearch} />} isFlush>
        <QueryTable
          label="Ratings"
          query={ratings}
          columns={canOpenShares ? [...columns, shareColumn] : columns}
          keyOf={({ chat_id, message_id }) => `${chat_id} ${message_id}`}
          empty={<Empty title="No ratings yet" hint="People rate replies with the thumbs below them." />}
          order={{ sort: search.sort, onSort: (sort) => onSearch(withSort(search, sort)) }}
          paging={{ page: search.page ?? 1, limit: pageLimit, onPage: (page) => onSearch({ ...search, page }) }}
        />
      </Panel>
    </>
  )
}

/** A new order starts at page one. */
const withSort = ({ page: _, sort: __, ...rest }: RatingSearch, sort: string | undefined): RatingSearch =>
  sort === undefined ? rest : { ...rest, sort }

const Actions = ({ search, onSearch }: Pick<RatingsPanelProps, 'search' | 'onSearch'>) => (
  <div className="flex items-center gap-2">
    <BareSelect
      aria-label="Rating"
      value={search.rating ?? ''}
      onChange={({ target }) =>
        onSearch({
          ...(search.sort !== undefined && { sort: search.sort }),
          ...(target.value === 'good' || target.value === 'bad' ? { rating: target.value } : {}),
        })
      }
    >
      <option value="">All ratings</option>
      <option value="good">Good</option>
      <option value="bad">Bad</option>
    </BareSelect>
    <a href={exportUrl(search)} download className={buttonLook('plain')}>
      <Download aria-hidden className="size-4" /> Export
    </a>
  </div>
)

const modelColumns: Column<RatingList['models'][number]>[] = [
  { head: 'Model', sort: ({ model }) => model, cell: ({ model }) => model || 'Unknown' },
  { head: 'Good', sort: ({ good }) => good, cell: ({ good }) => <span className="figures">{good}</span> },
  { head: 'Bad', sort: ({ bad }) => bad, cell: ({ bad }) => <span className="figures">{bad}</span> },
]

const columns: Column<RatingRow>[] = [
  { head: 'Time', sort: 'time', cell: ({ rated_at }) => <Time at={rated_at} /> },
  { head: 'Person', sort: 'person', cell: ({ user_name }) => user_name },
  { head: 'Model', isPlain: true, sort: 'model', cell: ({ model }) => model || 'Unknown' },
  {
    head: 'Rating',
    isPlain: true,
    sort: 'rating',
    cell: ({ rating }) => (
      <span className="flex items-center gap-1.5">
        {rating === 'good' ? (
          <ThumbsUp aria-hidden className="size-4 text-ok" />
        ) : (
          <ThumbsDown aria-hidden className="size-4 text-bad" />
        )}
        {rating === 'good' ? 'Good' : 'Bad'}
      </span>
    ),
  },
  { head: 'Reason', isPlain: true, cell: ({ reason }) => <span className="whitespace-pre-wrap">{reason || '–'}</span> },
]

const shareColumn: Column<RatingRow> = {
  head: 'Chat',
  cell: ({ share_id }) =>
    share_id === null ? (
      <span className="text-faint">Not shared</span>
    ) : (
      <HrefLink href={sharePagePath(share_id)} className={textLink}>
        Open
      </HrefLink>
    ),
}
