/** The recipients of a draft. The chosen one gets the fields that are placed next. */
import type { RecipientInput, SigningDocument } from '@chancery/contract/signing/documents.ts'
import { Pencil, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import type { Recipient } from '../../documents/api.ts'
import { useSetRecipients } from '../../documents/api.ts'
import { roleLabels } from '../../documents/labels.tsx'
import { colourOf } from '../colours.ts'
import { RecipientDialog } from './recipient-dialog.tsx'

interface RecipientListProps {
  document: SigningDocument
  activeId: string | undefined
  onActive: (id: string) => void
}

/** The API takes the whole list; one without changes goes back as it came. */
const inputOf = ({ id, name, email, role, order, message, language }: Recipient): RecipientInput => ({
  id,
  name,
  email,
  role,
  order,
  message,
  language,
})

export function RecipientList({ document, activeId, onActive }: RecipientListProps) {
  const [open, setOpen] = useState<'new' | Recipient>()
  const save = useSetRecipients(document.id)
  const { recipients } = document
  const close = () => setOpen(undefined)
  const write = async (input: RecipientInput) => {
    const others = recipients.map(inputOf)
    const list = input.id === undefined ? [...others, input] : others.map((one) => (one.id === input.id ? input : one))
    const saved = await save.mutateAsync({ list, version: document.versions.recipients })
    const made = saved.recipients.find(({ id }) => !recipients.some((known) => known.id === id))
    if (made) onActive(made.id)
    close()
  }
  const remove = async (id: string) => {
    const list = recipients.filter((one) => one.id !== id).map(inputOf)
    await save.mutateAsync({ list, version: document.versions.recipients })
    close()
  }
  return (
    <div className="flex flex-col gap-2">
      {recipients.length === 0 && <p className="text-faint text-sm">Add the people who sign, approve or get a copy.</p>}
      <ul className="flex flex-col gap-1">
        {recipients.map((recipient) => (
          <li
            key={recipient.id}
            className="flex items-center gap-1 rounded-control border border-transparent has-aria-pressed:border-line"
          >
            <button
              type="button"
              aria-pressed={recipient.id === activeId}
              onClick={() => onActive(recipient.id)}
              className="flex min-w-0 flex-1 items-center gap-2.5 rounded-control px-2.5 py-1.5 text-left hover:bg-sunken aria-pressed:bg-sunken"
            >
              <span
                aria-hidden
                className="size-3 shrink-0 rounded-full"
                style={{ background: colourOf(recipients, recipient.id) }}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{recipient.name}</span>
                <span className="block truncate text-faint text-sm">
                  {document.signingOrder === 'SEQUENTIAL' && `${recipient.order}. `}
                  {roleLabels[recipient.role].label} · {recipient.email || 'No email yet'}
                </span>
              </span>
            </button>
            <IconButton label={`Edit ${recipient.name}`} icon={Pencil} isTiny onClick={() => setOpen(recipient)} />
          </li>
        ))}
      </ul>
      <Button size="small" icon={UserPlus} className="self-start" onClick={() => setOpen('new')}>
        Add recipient
      </Button>
      {open !== undefined && (
        <RecipientDialog
          recipient={open === 'new' ? undefined : open}
          nextOrder={Math.max(0, ...recipients.map(({ order }) => order)) + 1}
          onSave={write}
          onRemove={remove}
          onClose={close}
        />
      )}
    </div>
  )
}
