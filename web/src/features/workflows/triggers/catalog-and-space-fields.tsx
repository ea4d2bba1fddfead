/** The catalog and space that a trigger's runs use. */
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { useCatalogs, useSpaces } from '../catalogs/api.ts'
import { NamedOptions } from '../catalogs/named-options.tsx'
import type { CatalogAndSpace } from './trigger-body.ts'

interface CatalogAndSpaceFieldsProps {
  value: CatalogAndSpace
  onChange: (value: CatalogAndSpace) => void
}

export function CatalogAndSpaceFields({ value, onChange }: CatalogAndSpaceFieldsProps) {
  const catalogs = useCatalogs()
  const spaces = useSpaces()
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Catalog" name="catalog_id" help="The model credentials its runs use.">
        <Select
          value={value.catalogId ?? ''}
          onChange={(event) => onChange({ ...value, catalogId: event.target.value || null })}
        >
          <option value="">None (the author’s models)</option>
          <NamedOptions items={catalogs.data?.items} chosen={value.catalogId} />
        </Select>
      </Field>
      <Field label="Space" name="space_id" help="The space its runs belong to.">
        <Select
          value={value.spaceId ?? ''}
          onChange={(event) => onChange({ ...value, spaceId: event.target.value || null })}
        >
          <option value="">None</option>
          <NamedOptions items={spaces.data?.items} chosen={value.spaceId} />
        </Select>
      </Field>
    </div>
  )
}
