/** Imports chats from a file, and exports all of them. */
import { Download } from 'lucide-react'
import { buttonLook } from '#ui/button/button.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { exportAddress } from '../api.ts'
import { ImportPart } from './import-part.tsx'

export function TransferDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Import and export" isOpen={isOpen} onClose={onClose}>
      <div className="flex flex-col gap-6">
        <ExportPart />
        <ImportPart onDone={onClose} />
      </div>
    </Dialog>
  )
}

const ExportPart = () => (
  <section aria-label="Export" className="flex items-start justify-between gap-4 border-b pb-6">
    <div>
      <h3 className="font-medium">Export</h3>
      <p className="text-soft text-sm">All chats with all branches, including archived ones, in one file.</p>
    </div>
    <a href={exportAddress} download="chats.json" className={buttonLook('plain')}>
      <Download aria-hidden className="size-4" /> Export all
    </a>
  </section>
)
