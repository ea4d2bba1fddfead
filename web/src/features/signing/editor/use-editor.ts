/** The state of the editor: fields with undo, the selection, the clipboard, and saving in the background. */

import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import type { FieldType } from '@chancery/contract/signing/signing.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { beginHistory, type History, record, redo, undo } from '#lib/form/history.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { getDocument, putFields, useRefreshDocument } from '../documents/api.ts'
import {
  belonging,
  type EditorField,
  fieldsOf,
  learnIds,
  newField,
  pasted,
  type Spot,
  toInput,
} from './state/fields.ts'
import { createSaver, type Saver, type SaveStatus } from './state/saver.ts'

const saveAfterMs = 600

export interface PageRef {
  fileId: string
  page: number
}

interface Saving {
  status: SaveStatus
  error?: unknown
}

export function useEditor(document: SigningDocument) {
  const [history, setHistory] = useState<History<EditorField[]>>(() => beginHistory(fieldsOf(document)))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [copied, setCopied] = useState<readonly EditorField[]>([])
  const fields = useMemo(() => belonging(history.present, document), [history.present, document])
  const { takeTheirs, ...saving } = useSaving(document, fields)

  const change = (next: EditorField[], kind?: string) =>
    setHistory((now) => record(now, next, { kind, at: Date.now() }))
  const update = (keys: ReadonlySet<string>, edit: (field: EditorField) => EditorField, kind?: string) =>
    change(
      fields.map((field) => (keys.has(field.key) ? edit(field) : field)),
      kind,
    )
  const insert = (added: EditorField[]) => {
    change([...fields, ...added])
    setSelected(new Set(added.map(({ key }) => key)))
  }
  return {
    fields,
    selected,
    select: (keys: Iterable<string>) => setSelected(new Set(keys)),
    clear: () => setSelected(new Set()),
    chosen: fields.filter(({ key }) => selected.has(key)),
    insert,
    /** As `insert`, with nothing selected: what is placed belongs to several people on several pages. */
    place: (added: EditorField[]) => {
      change([...fields, ...added])
      setSelected(new Set())
    },
    add: (type: FieldType, recipientId: string, spot: Spot) =>
      insert([newField({ key: uuidV4(), type, recipientId, spot })]),
    update,
    replace: (next: readonly EditorField[], kind?: string) => {
      const byKey = new Map(next.map((field) => [field.key, field]))
      update(new Set(byKey.keys()), (field) => byKey.get(field.key) ?? field, kind)
    },
    remove: () => {
      change(fields.filter(({ key }) => !selected.has(key)))
      setSelected(new Set())
    },
    copy: () => setCopied(fields.filter(({ key }) => selected.has(key))),
    paste: (to: PageRef) => copied.length > 0 && insert(pasted(copied, to, uuidV4)),
    duplicate: () =>
      insert(fields.filter(({ key }) => selected.has(key)).flatMap((field) => pasted([field], field, uuidV4))),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    ...saving,
    takeTheirs: async () => setHistory(beginHistory(await takeTheirs())),
  }
}

export type Editor = ReturnType<typeof useEditor>

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'document_changed'

function useSaving(document: SigningDocument, fields: EditorField[]) {
  const [saving, setSaving] = useState<Saving>({ status: 'saved' })
  const ids = useRef(new Map(document.fields.map(({ id }) => [id, id])))
  const saver = useRef<Saver<EditorField[]>>(undefined)
  const first = useRef(fields)
  const { id } = document
  /** The document as this tab last read or saved it, to notice changes made elsewhere. */
  const base = useRef(document)
  const refresh = useRef(useRefreshDocument(id))
  useEffect(() => {
    const own = createSaver<EditorField[]>({
      save: async (state) => {
        const saved = await putFields(id, toInput(state, ids.current), base.current.versions.fields)
        ids.current = learnIds(ids.current, state, saved.fields)
        base.current = saved
      },
      onStatus: (status, error) => {
        setSaving({ status, error })
        if (error instanceof ApiError && error.code === 'document_sent') refresh.current()
      },
      isConflict,
      waitMs: saveAfterMs,
    })
    saver.current = own
    return () => own.stop()
  }, [id])
  useEffect(() => {
    if (hasOnlyLost(document.fields, base.current.fields)) base.current = document
  }, [document])
  useEffect(() => {
    if (fields !== first.current && !isSame(fields, first.current)) saver.current?.change(fields)
    first.current = fields
  }, [fields])
  useWarnBeforeLeaving(saving.status !== 'saved')
  return {
    saving,
    flush: () => saver.current?.flush() ?? Promise.resolve(),
    /** Overwrites what the other tab saved. */
    keepMine: async () => {
      base.current = await getDocument(id)
      await saver.current?.flush()
    },
    /** Forgets what is not saved here; the caller shows what the other tab saved. */
    takeTheirs: async (): Promise<EditorField[]> => {
      const theirs = await getDocument(id)
      base.current = theirs
      ids.current = new Map(theirs.fields.map((field) => [field.id, field.id]))
      const taken = fieldsOf(theirs)
      first.current = taken
      saver.current?.discard()
      refresh.current()
      return taken
    },
  }
}

/** True if fields only went with their recipient or file, which this editor leaves out as well. */
const hasOnlyLost = (now: SigningDocument['fields'], before: SigningDocument['fields']): boolean => {
  const known = new Map(before.map((field) => [field.id, JSON.stringify(field)]))
  return now.every((field) => known.get(field.id) === JSON.stringify(field))
}

/** Closing the tab in the moment before a save would lose the last change. */
function useWarnBeforeLeaving(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isOn])
}

/** The list is built anew when the document is read again; only other fields in it are a change. */
const isSame = (one: readonly EditorField[], other: readonly EditorField[]): boolean =>
  one.length === other.length && one.every((field, index) => field === other[index])
