/** The fields on one page: one's own as buttons, what others filled in as part of the picture. */
import { cx } from '#ui/class-names.ts'
import { FieldValueView, positionOf } from '../../pdf/field-value.tsx'
import type { PageSize } from '../../pdf/pdf-file.tsx'
import type { FactsField } from '../api.ts'
import { useSigning } from '../signing-context.ts'
import { useFieldName } from './use-field-name.ts'

interface PageFieldsProps {
  fields: readonly FactsField[]
  page: PageSize
  currentId: string | undefined
  onChoose: (id: string) => void
}

/** The element that the page scrolls to. */
export const elementIdOf = (fieldId: string) => `field-${fieldId}`

export const PageFields = ({ fields, page, currentId, onChoose }: PageFieldsProps) =>
  fields.map((field) =>
    field.isMine && !field.readOnly ? (
      <OwnField
        key={field.id}
        field={field}
        page={page}
        isCurrent={field.id === currentId}
        onChoose={() => onChoose(field.id)}
      />
    ) : (
      <OtherField key={field.id} field={field} page={page} />
    ),
  )

interface OwnFieldProps {
  field: FactsField
  page: PageSize
  isCurrent: boolean
  onChoose: () => void
}

function OwnField({ field, page, isCurrent, onChoose }: OwnFieldProps) {
  const { texts } = useSigning()
  const name = useFieldName()(field)
  const isEmpty = field.value === null || field.value === '' || field.value === false
  return (
    <button
      id={elementIdOf(field.id)}
      type="button"
      aria-label={isEmpty ? texts.field.fillIn(name) : texts.field.change(name)}
      aria-current={isCurrent ? 'step' : undefined}
      style={positionOf(field)}
      onClick={onChoose}
      className={cx(
        'absolute scroll-mt-24 overflow-hidden rounded-[3px] border text-start transition-colors duration-150',
        isEmpty ? 'border-[#b23a2b]/70 bg-[#f8e9e5]/80' : 'border-[#191b22]/25 bg-white/60',
        isEmpty && !field.required && 'border-dashed',
        isCurrent && 'outline-2 outline-[#b23a2b] outline-offset-2',
      )}
    >
      {field.value !== null && field.value !== '' && <FieldValueView field={field} value={field.value} page={page} />}
      {isEmpty && <Hint name={name} field={field} page={page} />}
    </button>
  )
}

/** The field's name inside its box, as far as it fits. */
function Hint({ name, field, page }: { name: string; field: FactsField; page: PageSize }) {
  const [width, height] = [field.width * page.width, field.height * page.height]
  if (width < 3 * height && width < 40) return null
  const size = Math.min(10, height * 0.6, width / Math.max(1, name.length * 0.56))
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden className="absolute inset-0 size-full">
      <text x={width / 2} y={height / 2} dominantBaseline="central" textAnchor="middle" fontSize={size} fill="#8a2a1f">
        {name}
      </text>
    </svg>
  )
}

function OtherField({ field, page }: { field: FactsField; page: PageSize }) {
  const { texts } = useSigning()
  const name = useFieldName()(field)
  if (field.value === null) return null
  return (
    <div role="img" aria-label={texts.field.of(name)} style={positionOf(field)} className="absolute overflow-hidden">
      <FieldValueView field={field} value={field.value} page={page} />
    </div>
  )
}
