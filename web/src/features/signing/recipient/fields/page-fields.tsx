/** The fields on one page: one's own as buttons, what others filled in as part of the picture. */
import type { FieldValue, SigningLanguage } from '@chancery/contract/signing/signing.ts'
import { cx } from '#ui/class-names.ts'
import { dayText, shownValue, today } from '../../pdf/day-text.ts'
import { FieldValueView, positionOf } from '../../pdf/field-value.tsx'
import type { PageSize } from '../../pdf/pdf-file.tsx'
import type { Facts, FactsField } from '../api.ts'
import { useSigning } from '../signing-context.ts'
import { useFieldName } from './use-field-name.ts'

interface PageFieldsProps {
  facts: Pick<Facts, 'document'>
  fields: readonly FactsField[]
  page: PageSize
  currentId: string | undefined
  onChoose: (id: string) => void
}

/** The element that the page scrolls to. */
export const elementIdOf = (fieldId: string) => `field-${fieldId}`

export const PageFields = ({ facts, fields, page, currentId, onChoose }: PageFieldsProps) =>
  fields.map((field) =>
    field.isMine && field.signingDay ? (
      <SigningDay key={field.id} field={field} page={page} language={facts.document.language} />
    ) : field.isMine && !field.readOnly ? (
      <OwnField
        key={field.id}
        field={field}
        page={page}
        isCurrent={field.id === currentId}
        language={facts.document.language}
        onChoose={() => onChoose(field.id)}
      />
    ) : (
      <OtherField key={field.id} field={field} page={page} document={facts.document} />
    ),
  )

/** Values that the sender filled in are underlined, as the panel says. Paper is white in every theme. */
const bySender = 'border-b-2 border-b-[#191b22]/60 border-dotted'

interface OwnFieldProps {
  field: FactsField
  page: PageSize
  isCurrent: boolean
  language: SigningLanguage
  onChoose: () => void
}

function OwnField({ field, page, isCurrent, language, onChoose }: OwnFieldProps) {
  const { texts } = useSigning()
  const name = useFieldName()(field)
  const shown = field.value === null ? null : shownValue(language, field.type, field.value)
  // Text shown in the box is part of its accessible name.
  const written = textsIn(shown)
  const isEmpty = field.value === null || field.value === '' || field.value === false
  return (
    <button
      id={elementIdOf(field.id)}
      type="button"
      aria-label={isEmpty ? texts.field.fillIn(name) : [texts.field.change(name), ...written].join(', ')}
      aria-current={isCurrent ? 'step' : undefined}
      style={positionOf(field)}
      onClick={onChoose}
      className={cx(
        'absolute scroll-mt-24 overflow-hidden rounded-[3px] border text-start transition-colors duration-150',
        isEmpty ? 'border-[#b23a2b]/70 bg-[#f8e9e5]/80' : 'border-[#191b22]/25 bg-white/60',
        isEmpty && !field.required && 'border-dashed',
        field.isPrefilled && bySender,
        isCurrent && 'outline-2 outline-[#b23a2b] outline-offset-2',
      )}
    >
      {shown !== null && shown !== '' && <FieldValueView field={field} value={shown} page={page} />}
      {isEmpty && <Hint name={name} field={field} page={page} />}
    </button>
  )
}

interface SigningDayProps {
  field: FactsField
  page: PageSize
  language: SigningLanguage
}

/** Today, as it will be written when they sign today. */
function SigningDay({ field, page, language }: SigningDayProps) {
  const { texts } = useSigning()
  const label = texts.field.signingDay(useFieldName()(field))
  return (
    <div
      role="img"
      aria-label={label}
      title={label}
      style={positionOf(field)}
      className="absolute overflow-hidden rounded-[3px] border border-[#191b22]/30 border-dashed opacity-60"
    >
      <FieldValueView field={field} value={dayText(language, today())} page={page} />
    </div>
  )
}

const textsIn = (shown: FieldValue | null): string[] => {
  if (typeof shown === 'string') return [shown]
  return typeof shown === 'object' && shown !== null && 'typed' in shown ? [shown.typed] : []
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

interface OtherFieldProps {
  field: FactsField
  page: PageSize
  document: Pick<Facts['document'], 'language' | 'sender'>
}

function OtherField({ field, page, document: { language, sender } }: OtherFieldProps) {
  const { texts } = useSigning()
  const name = useFieldName()(field)
  if (field.value === null) return null
  const isSenders = field.isMine && field.isPrefilled
  const label = isSenders ? texts.field.bySender(name, sender.name) : texts.field.of(name)
  return (
    <div
      role="img"
      aria-label={label}
      title={label}
      style={positionOf(field)}
      className={cx('absolute overflow-hidden', isSenders && bySender)}
    >
      <FieldValueView field={field} value={shownValue(language, field.type, field.value)} page={page} />
    </div>
  )
}
