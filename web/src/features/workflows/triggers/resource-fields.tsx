/** The catalog and space that a trigger's runs use. */
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { useCatalogs, useSpaces } from '../catalogs/api.ts'
import { ResourceOptions } from '../catalogs/resource-options.tsx'
import type { TriggerResources } from './trigger-body.ts'

interface ResourceFieldsProps {
  value: TriggerResources
  onChange: (value: TriggerResources) => void
}

export function ResourceFields({ value, onChange }: ResourceFieldsProps) {
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
          <ResourceOptions items={catalogs.data?.items} chosen={value.catalogId} />
        </Select>
      </Field>
      <Field label="Space" name="space_id" help="The space its runs belong to.">
        <Select
          value={value.spaceId ?? ''}
          onChange={(event) => onChange({ ...value, spaceId: event.target.value || null })}
        >
          <option value="">None</option>
          <ResourceOptions items={spaces.data?.items} chosen={value.spaceId} />
        </Select>
      </Field>
    </div>
  )
}
