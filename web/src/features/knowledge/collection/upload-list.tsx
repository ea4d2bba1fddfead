/** Files on their way into a collection, each with its progress. */

import { UploadRow } from '#data/upload-row.tsx'
import type { Upload } from '#data/uploads.ts'
import type { TabWork } from '#lib/tab/tab-work.ts'
import { WorkRow } from '#ui/feedback/work-row.tsx'

export function UploadList({ uploads, works }: { uploads: readonly Upload[]; works: readonly TabWork[] }) {
  if (uploads.length + works.length === 0) return null
  return (
    <ul aria-label="Uploads" className="max-h-72 divide-y divide-line overflow-y-auto border-b">
      {works.map((work) => (
        <WorkRow key={work.id} work={work} />
      ))}
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  )
}
