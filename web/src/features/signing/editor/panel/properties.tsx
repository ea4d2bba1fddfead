/** Properties of the selected fields. Several at once share what they have in common: recipient, required, alignment. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignStartHorizontal,
  AlignStartVertical,
  Copy,
  type LucideIcon,
  Trash2,
} from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { fieldLabels } from '../../documents/labels.tsx'
import { type Alignment, aligned } from '../state/geometry.ts'
import type { Editor } from '../use-editor.ts'
import { RuleFields } from './rule-fields.tsx'

interface PropertiesProps {
  document: SigningDocument
  editor: Editor
}

export function Properties({ document, editor }: PropertiesProps) {
  const { chosen, selected, update } = editor
  const [first] = chosen
  if (first === undefined) return null
  const isOne = chosen.length === 1
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-1">
        <h3 className="flex-1 font-medium">{isOne ? fieldLabels[first.type] : `${chosen.length} fields`}</h3>
        <IconButton label="Duplicate" icon={Copy} onClick={editor.duplicate} />
        <IconButton label="Delete" icon={Trash2} onClick={editor.remove} />
      </div>
      {!isOne && <Alignments editor={editor} />}
      <Field label="Recipient" name="recipient">
        <Select
          value={chosen.every(({ recipientId }) => recipientId === first.recipientId) ? first.recipientId : ''}
          onChange={({ target }) => update(selected, (field) => ({ ...field, recipientId: target.value }))}
        >
          <option value="" disabled>
            Several
          </option>
          {document.recipients.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {isOne && (
        <Field label="Label" name="label" isOptional help="Shown to the recipient.">
          <TextInput
            value={first.label ?? ''}
            maxLength={200}
            placeholder={fieldLabels[first.type]}
            onChange={({ target }) =>
              update(selected, (field) => ({ ...field, label: target.value === '' ? null : target.value }), 'label')
            }
          />
        </Field>
      )}
      <Switch
        label="Required"
        help="Must be filled in before signing."
        isOn={chosen.every(({ required }) => required)}
        onChange={(required) => update(selected, (field) => ({ ...field, required }))}
      />
      {isOne && <RuleFields key={first.key} field={first} onChange={(edit, kind) => update(selected, edit, kind)} />}
    </div>
  )
}

const alignments: readonly { to: Alignment; label: string; icon: LucideIcon }[] = [
  { to: 'left', label: 'Align left', icon: AlignStartVertical },
  { to: 'center', label: 'Align centers', icon: AlignCenterVertical },
  { to: 'right', label: 'Align right', icon: AlignEndVertical },
  { to: 'top', label: 'Align top', icon: AlignStartHorizontal },
  { to: 'middle', label: 'Align middles', icon: AlignCenterHorizontal },
  { to: 'bottom', label: 'Align bottom', icon: AlignEndHorizontal },
]

const Alignments = ({ editor }: { editor: Editor }) => (
  <fieldset className="flex gap-1">
    <legend className="sr-only">Align</legend>
    {alignments.map(({ to, label, icon }) => (
      <IconButton key={to} label={label} icon={icon} onClick={() => editor.replace(aligned(editor.chosen, to))} />
    ))}
  </fieldset>
)
