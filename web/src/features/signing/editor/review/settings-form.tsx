/** Settings for sending a document. Every change is saved at once. */

import type { DocumentPatch, SigningDocument } from '@chancery/contract/signing/documents.ts'
import { signingLanguages } from '@chancery/contract/signing/signing.ts'
import { Segmented, Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { SummaryField } from '../../ai/summary-field.tsx'
import { languageLabels, orders } from '../../documents/labels.tsx'
import { dayOf, endOfDay } from './expiry.ts'

const reminders = [1, 2, 3, 7, 14]

interface SettingsFormProps {
  document: SigningDocument
  onChange: (change: DocumentPatch) => void
}

export function SettingsForm({ document, onChange: set }: SettingsFormProps) {
  const setMessage = (text: string) => text !== (document.message ?? '') && set({ message: text === '' ? null : text })
  const setExpiry = (day: string) =>
    day !== dayOf(document.expiresAt) && set({ expiresAt: day === '' ? null : endOfDay(day) })
  return (
    <section aria-label="Settings" className="flex flex-col gap-5">
      <Field label="Message" name="message" isOptional help="Part of the email and of the signing page.">
        <TextArea
          defaultValue={document.message ?? ''}
          maxLength={5000}
          onBlur={({ target }) => setMessage(target.value.trim())}
        />
      </Field>
      <SummaryField documentId={document.id} summary={document.summary} onChange={(summary) => set({ summary })} />
      <Segmented
        legend="Signing order"
        name="order"
        value={document.signingOrder}
        options={orders}
        onChange={(signingOrder) => set({ signingOrder })}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Expires after" name="expiresAt">
          <TextInput
            type="date"
            defaultValue={dayOf(document.expiresAt)}
            onBlur={({ target }) => setExpiry(target.value)}
          />
        </Field>
        <Field label="Reminders" name="reminderDays">
          <Select
            value={document.reminderDays ?? ''}
            onChange={({ target }) => set({ reminderDays: target.value === '' ? null : Number(target.value) })}
          >
            <option value="">Off</option>
            {reminders.map((days) => (
              <option key={days} value={days}>
                {days === 1 ? 'Every day' : `Every ${days} days`}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Language" name="language">
          <Select
            value={document.language}
            onChange={({ target }) => {
              const language = signingLanguages.find((each) => each === target.value)
              if (language) set({ language })
            }}
          >
            {signingLanguages.map((language) => (
              <option key={language} value={language} lang={language}>
                {languageLabels[language]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Switch
        label="Email code"
        help="Recipients enter a code that we email to them before they see anything."
        isOn={document.emailOtp}
        onChange={(emailOtp) => set({ emailOtp })}
      />
      <Switch
        label="Delegation"
        help="A recipient may ask someone else to sign instead."
        isOn={document.allowDelegation}
        onChange={(allowDelegation) => set({ allowDelegation })}
      />
    </section>
  )
}
