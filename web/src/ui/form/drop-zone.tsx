/** An area that accepts dropped files, and says so while some are dragged over it. */
import { type DragEvent, type ReactNode, useState } from 'react'
import { cx } from '#ui/class-names.ts'

interface DropZoneProps {
  label: string
  /** Shown while files are over it. */
  hint: string
  onFiles: (transfer: DataTransfer) => void
  className?: string
  children: ReactNode
}

export function DropZone({ label, hint, onFiles, className, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  const onDragLeave = (event: DragEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
  }
  const onDrop = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(false)
    onFiles(event.dataTransfer)
  }
  return (
    <section
      aria-label={label}
      className={cx('relative', className)}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-20 flex items-center justify-center rounded-panel border-2 border-seal border-dashed bg-surface/90 px-4 text-center font-medium text-md">
          {hint}
        </div>
      )}
    </section>
  )
}
