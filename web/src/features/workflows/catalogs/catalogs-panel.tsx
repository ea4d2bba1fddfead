/** Every catalog: which servers it reaches, with a key or without, and which models. */
import { BookKey, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { type CatalogItem, useCatalogs } from './api.ts'
import { ThingsPanel } from './things-panel.tsx'

interface CatalogsPanelProps {
  /** Making one. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const CatalogsPanel = ({ action, onOpen }: CatalogsPanelProps) => (
  <ThingsPanel
    noun="catalog"
    title="Catalogs"
    head="Catalog"
    hint="Sets of model credentials. A trigger that names one runs its workflow with these, whoever caused the run."
    icon={BookKey}
    query={useCatalogs()}
    columns={columns}
    empty={
      <Empty
        title="No catalogs yet"
        hint="Without one, a run uses the models that the person it works for may use. Add one to give runs keys of their own."
      />
    }
    loss="Its keys are forgotten. Triggers that name it stay, but the runs they start will fail at their first model."
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
