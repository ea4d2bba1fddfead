/** What a trigger's runs use and belong to: a catalog of credentials, and a space. */
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/inputs.tsx'
import { useCatalogs, useSpaces } from '../catalogs/api.ts'
import type { Places } from './trigger-body.ts'

interface PlaceFieldsProps {
  value: Places
  onChange: (value: Places) => void
}

export function PlaceFields({ value, onChange }: PlaceFieldsProps) {
  const catalogs = useCatalogs()
  const spaces = useSpaces()
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Catalog" name="catalog_id" help="Whose model credentials its runs use.">
        <Select
          value={value.catalogId ?? ''}
          onChange={(event) => onChange({ ...value, catalogId: event.target.value || null })}
        >
          <option value="">None: the author's own models</option>
          <Options items={catalogs.data?.items} chosen={value.catalogId} />
        </Select>
      </Field>
      <Field label="Space" name="space_id" help="Where its runs belong.">
        <Select
          value={value.spaceId ?? ''}
          onChange={(event) => onChange({ ...value, spaceId: event.target.value || null })}
        >
          <option value="">None</option>
          <Options items={spaces.data?.items} chosen={value.spaceId} />
        </Select>
      </Field>
    </div>
  )
}

interface OptionsProps {
  items: readonly { id: string; name: string }[] | undefined
  chosen: string | null
}

/** The chosen one is offered also while the list is on its way, or when it is not there any more. */
const Options = ({ items = [], chosen }: OptionsProps) => (
  <>
    {items.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
    {chosen !== null && items.every(({ id }) => id !== chosen) && <option value={chosen}>{chosen.slice(0, 8)}…</option>}
  </>
)
