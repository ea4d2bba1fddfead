/** A collection's search settings, its readers and its dates. */
import type { CollectionDetail } from '@chancery/contract/files/knowledge.ts'
import { usePerson } from '#data/viewer.ts'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { Time } from '#ui/values/time.tsx'
import { useRetrievalFacts } from '../api.ts'
import { AccessBadge } from '../collections/access-badge.tsx'

export function DetailsPanel({ collection }: { collection: CollectionDetail }) {
  const { id } = usePerson()
  const { data: facts } = useRetrievalFacts()
  return (
    <Panel title="Details">
      <Facts
        items={[
          { term: 'Access', value: <AccessBadge collection={collection} viewerId={id} /> },
          { term: 'Search', value: facts === undefined ? '…' : facts.semantic ? 'Words and meaning' : 'Words only' },
          { term: 'Created', value: <Time at={collection.created_at} /> },
          { term: 'Updated', value: <Time at={collection.updated_at} /> },
        ]}
      />
    </Panel>
  )
}

/** Says plainly when questions are answered by words alone. */
export function WordsOnlyNote() {
  const { data } = useRetrievalFacts()
  if (data === undefined || data.semantic) return null
  return (
    <p role="status" className="rounded-panel bg-warn-wash px-5 py-3 text-warn">
      Only full-text search is available: passages are found by their words, not by their meaning. A platform admin can
      set an embedding engine.
    </p>
  )
}
