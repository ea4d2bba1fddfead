/** Files on their way into a collection, each with its progress. */
import type { TabWork } from '#lib/tab/tab-work.ts'
import type { Upload } from '#lib/tab/uploads.ts'
import { UploadRow } from '#ui/feedback/upload-row.tsx'
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
