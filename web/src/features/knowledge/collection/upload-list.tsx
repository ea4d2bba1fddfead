/** Files on their way into a collection, each with its progress. */
import type { Upload } from '#lib/uploads.ts'
import { UploadRow } from '#ui/upload-row.tsx'

export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  if (uploads.length === 0) return null
  return (
    <ul aria-label="Uploads" className="max-h-72 divide-y divide-line overflow-y-auto border-b">
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  )
}
