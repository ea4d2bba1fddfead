/** The list of collections that the viewer may read. */
import type { Collection } from '@chancery/contract/files/knowledge.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePerson } from '#data/viewer.ts'
import { counted } from '#lib/text/counted.ts'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { collectionsLimit, type ListQuery, useCollections } from '../api.ts'
import { AccessBadge } from './access-badge.tsx'

interface CollectionTableProps {
  query: ListQuery
  empty: ReactNode
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
}

export function CollectionTable({ query, empty, onPage, onSort }: CollectionTableProps) {
  const { id } = usePerson()
  return (
    <QueryTable
      label="Collections"
      query={useCollections(query)}
      columns={columnsOf(id)}
      keyOf={(collection) => collection.id}
      empty={empty}
      paging={{ page: query.page ?? 1, limit: collectionsLimit, onPage }}
      order={{ sort: query.sort, onSort }}
    />
  )
}

const columnsOf = (viewerId: string): Column<Collection>[] => [
  {
    head: 'Collection',
    sort: 'name',
    cell: ({ id, name, description }) => (
      <span className="block min-w-0">
        <Link
          to="/knowledge/$collectionId"
          params={{ collectionId: id }}
          className="font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
        >
          {name}
        </Link>
        {description !== '' && <span className="line-clamp-1 text-faint text-sm">{description}</span>}
      </span>
    ),
  },
  { head: 'Files', isPlain: true, cell: ({ file_count }) => counted(file_count, 'file') },
  {
    head: 'Access',
    isPlain: true,
    cell: (collection) => <AccessBadge collection={collection} viewerId={viewerId} />,
  },
  {
    head: 'Status',
    isPlain: true,
    isWideOnly: true,
    cell: ({ reindexing }) =>
      reindexing ? (
        <Badge tone="warn">
          Re-indexing {reindexing.done} of {reindexing.total}
        </Badge>
      ) : (
        <span className="text-faint">Ready</span>
      ),
  },
  { head: 'Updated', isWideOnly: true, sort: 'updated', cell: ({ updated_at }) => <Time at={updated_at} /> },
]
