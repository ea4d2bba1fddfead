/** Every catalog: which servers it reaches, with a key or without, and which models. */
import { BookKey, Ellipsis, KeyRound, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { type CatalogItem, useCatalogs, useDelete } from './api.ts'

interface CatalogsPanelProps {
  /** Making one. */
  action: ReactNode
  onOpen: (id: string) => void
}

export function CatalogsPanel({ action, onOpen }: CatalogsPanelProps) {
  const catalogs = useCatalogs()
  const [leaving, setLeaving] = useState<CatalogItem>()
  const remove = useDelete({ noun: 'catalog', onDone: () => setLeaving(undefined) })
  return (
    <Panel
      title="Catalogs"
      hint="Sets of model credentials. A trigger that names one runs its workflow with these, whoever caused the run."
      action={action}
      isFlush
    >
      <QueryTable
        label="Catalogs"
        query={catalogs}
        columns={columnsOf(onOpen, setLeaving)}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="No catalogs yet"
            hint="Without one, a run uses the models that the person it works for may use. Add one to give runs keys of their own."
          />
        }
      />
      <Confirm
        title={`Delete “${leaving?.name}”?`}
        loss="Its keys are forgotten. Triggers that name it stay, but the runs they start will fail at their first model."
        action="Delete catalog"
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </Panel>
  )
}

const columnsOf = (onOpen: (id: string) => void, onDelete: (catalog: CatalogItem) => void): Column<CatalogItem>[] => [
  {
    head: 'Catalog',
    cell: ({ id, name, description }) => (
      <span className="flex items-center gap-3">
        <BookKey aria-hidden className="size-4 shrink-0 text-faint @max-2xl:hidden" />
        <span className="min-w-0">
          <button
            type="button"
            onClick={() => onOpen(id)}
            className="text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
          >
            {name}
          </button>
          {description !== '' && <span className="line-clamp-1 text-faint text-sm">{description}</span>}
        </span>
      </span>
    ),
  },
  { head: 'Servers', isPlain: true, cell: ({ entries }) => <Servers entries={entries} /> },
  {
    head: 'Models',
    cell: ({ entries }) => new Set(entries.flatMap(({ model_ids }) => model_ids)).size,
  },
  { head: 'Changed', isWideOnly: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (catalog) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${catalog.name}`} icon={Ellipsis} />}>
          <MenuItem icon={Pencil} onSelect={() => onOpen(catalog.id)}>
            Edit
          </MenuItem>
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(catalog)}>
            Delete
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]

const Servers = ({ entries }: Pick<CatalogItem, 'entries'>) => (
  <ul className="flex flex-col gap-0.5">
    {entries.map(({ name, url, has_key }) => (
      <li key={name} className="flex items-center gap-1.5 text-sm" title={url}>
        {has_key ? (
          <KeyRound aria-label="with a key" className="size-3.5 shrink-0 text-ok" />
        ) : (
          <span className="size-3.5 shrink-0" />
        )}
        {name}
      </li>
    ))}
    {entries.length === 0 && <li className="text-faint">none</li>}
  </ul>
)
