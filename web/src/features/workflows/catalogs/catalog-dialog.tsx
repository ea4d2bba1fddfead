/** Creates or edits a catalog. Keys are write-only: a blank key field keeps the stored key. */
import { CatalogBody } from '@chancery/contract/workflows/catalogs.ts'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import type { Schema } from '#lib/http/shape.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { type CatalogItem, useCatalogs, useSaveCatalog } from './api.ts'
import { catalogBody, type EntryDraft, entriesOf, newEntry, problemsByEntry } from './catalog-draft.ts'
import { EntryFields } from './entry-fields.tsx'

interface CatalogDialogProps {
  /** The catalog to edit; `new` creates one; undefined means closed. */
  open: string | undefined
  onClose: () => void
}

export function CatalogDialog({ open, onClose }: CatalogDialogProps) {
  const { data } = useCatalogs()
  const catalog = data?.items.find(({ id }) => id === open)
  return (
    <Dialog
      title={catalog?.name ?? 'New catalog'}
      hint="The model servers that runs may use, and the API keys for them."
      isOpen={open === 'new' || catalog !== undefined}
      onClose={onClose}
      isWide
      isSticky
    >
      <CatalogForm current={catalog} currency={data?.currency ?? ''} onClose={onClose} />
    </Dialog>
  )
}

const maxEntries = 20

interface CatalogFormProps {
  current: CatalogItem | undefined
  currency: string
  onClose: () => void
}

function CatalogForm({ current, currency, onClose }: CatalogFormProps) {
  const [entries, setEntries] = useState(() => entriesOf(current))
  const lastRow = useRef(entries.length)
  const [entryProblems, setEntryProblems] = useState<ReturnType<typeof problemsByEntry>>(new Map())
  const save = useSaveCatalog(current?.id)
  const form = useForm<unknown>({
    schema: watched(setEntryProblems),
    body: (fields) => catalogBody(fields, entries),
    send: async (body) => {
      const { name } = await save(body)
      toast.done(`Catalog “${name}” saved`)
      onClose()
    },
  })
  const add = () => {
    lastRow.current += 1
    setEntries([...entries, newEntry(lastRow.current)])
  }
  const change = (rowId: number, next: Partial<EntryDraft>) =>
    setEntries(entries.map((entry) => (entry.rowId === rowId ? { ...entry, ...next } : entry)))
  // Entry problems are shown at the entry; by field name alone they would also match the catalog's own field.
  const own: Problems = entryProblems.size > 0 ? {} : form.problems
  const otherField = Object.keys(own).find((field) => field !== 'name' && field !== 'description')
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-6">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" problem={own.name}>
          <TextInput autoComplete="off" defaultValue={current?.name} required />
        </Field>
        <Field label="Description" name="description" isOptional problem={own.description}>
          <TextArea rows={1} defaultValue={current?.description} />
        </Field>
      </div>
      {entries.map((entry, index) => (
        <EntryFields
          key={entry.rowId}
          entry={entry}
          number={index + 1}
          problems={entryProblems.get(index) ?? {}}
          currency={currency}
          onChange={(next) => change(entry.rowId, next)}
          onRemove={() => setEntries(entries.filter(({ rowId }) => rowId !== entry.rowId))}
        />
      ))}
      <div className="flex flex-col items-start gap-2">
        <Button icon={Plus} disabled={entries.length >= maxEntries} onClick={add}>
          Add server
        </Button>
        {otherField !== undefined && <p className="text-bad text-sm">{own[otherField]}</p>}
      </div>
      <div>
        <DialogFormActions form={form} onCancel={onClose}>
          {current ? 'Save catalog' : 'Create catalog'}
        </DialogFormActions>
      </div>
    </form>
  )
}

/** Validates with the contract's schema and reports which entry each problem belongs to. */
const watched = (tell: (problems: ReturnType<typeof problemsByEntry>) => void): Schema<unknown> => ({
  safeParse: (value) => {
    const checked = CatalogBody.safeParse(value)
    tell(checked.success ? new Map() : problemsByEntry(checked.error.issues))
    return checked
  },
})
