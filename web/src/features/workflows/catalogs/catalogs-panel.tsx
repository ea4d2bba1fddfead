/** All catalogs, with their servers, whether a key is stored, and their models. */
import { BookKey, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from '#ui/feedback/states.tsx'
import type { Column } from '#ui/table/table.tsx'
import { type CatalogItem, useCatalogs } from './api.ts'
import { NamedPanel } from './named-panel.tsx'

interface CatalogsPanelProps {
  /** Opens the dialog for a new catalog. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const CatalogsPanel = ({ action, onOpen }: CatalogsPanelProps) => (
  <NamedPanel
    noun="catalog"
    title="Catalogs"
    head="Catalog"
    hint="Sets of model credentials. If a trigger uses a catalog, its runs use these credentials no matter who caused the run."
    icon={BookKey}
    query={useCatalogs()}
    columns={columns}
    empty={
      <Empty
        title="No catalogs yet"
        hint="Without a catalog, a run uses the models its owner has access to. Create one to give runs their own keys."
      />
    }
    loss="Its keys are deleted. Triggers that use it stay, but their runs will fail at the first model call."
    action={action}
    onOpen={onOpen}
  />
)

const columns: Column<CatalogItem>[] = [
  { head: 'Servers', isPlain: true, cell: ({ entries }) => <Servers entries={entries} /> },
  {
    head: 'Models',
    cell: ({ entries }) => new Set(entries.flatMap(({ model_ids }) => model_ids)).size,
  },
]

const Servers = ({ entries }: Pick<CatalogItem, 'entries'>) => (
  <ul className="flex flex-col gap-0.5">
    {entries.map(({ name, url, has_key }) => (
      <li key={name} className="flex items-center gap-1.5 text-sm" title={url}>
        {has_key ? (
          <KeyRound aria-label="has a key" className="size-3.5 shrink-0 text-ok" />
        ) : (
          <span className="size-3.5 shrink-0" />
        )}
        {name}
      </li>
    ))}
    {entries.length === 0 && <li className="text-faint">none</li>}
  </ul>
)
