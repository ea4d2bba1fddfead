/** Bulk jobs and previews as JSON. */
import type { BulkJobRow, BulkRowRow } from '../queries/bulk.ts'
import type { PlannedRow } from './plan-rows.ts'

interface Row {
  row: number
  title: string
  state: BulkRowRow['state']
  problems: string[]
  documentId: string | null
}

const countsOf = (rows: readonly Row[]) => {
  const count = (state: Row['state']) => rows.filter((row) => row.state === state).length
  return { ready: count('READY'), refused: count('REFUSED'), sent: count('SENT'), failed: count('FAILED') }
}

export const presentPreview = (templateId: string, planned: readonly PlannedRow[]) => {
  const rows = planned.map(({ row, title, problems, request }): Row => {
    const state = request === null ? 'REFUSED' : 'READY'
    return { row, title, state, problems, documentId: null }
  })
  return { id: null, templateId, state: 'PREVIEW' as const, counts: countsOf(rows), rows }
}

export const presentBulk = ({ id, templateId, doneAt }: BulkJobRow, stored: readonly BulkRowRow[]) => {
  const rows = stored.map(
    ({ rowNumber, title, state, problems, documentId }): Row => ({
      row: rowNumber,
      title,
      state,
      problems: [...problems],
      documentId,
    }),
  )
  return {
    id,
    templateId,
    state: doneAt === null ? ('RUNNING' as const) : ('DONE' as const),
    counts: countsOf(rows),
    rows,
  }
}
