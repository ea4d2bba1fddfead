/** Opens the file dialog from a button of your own. */
import { type ReactNode, useRef } from 'react'

interface FilePickerProps {
  label: string
  accept?: string
  /** Chooses a folder with everything in it. */
  isFolder?: boolean
  onPick: (files: FileList | null) => void
  children: (open: () => void) => ReactNode
}

export function FilePicker({ label, accept, isFolder = false, onPick, children }: FilePickerProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        multiple
        accept={accept}
        {...(isFolder && { webkitdirectory: '' })}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          onPick(target.files)
          // The same file can be chosen again after a failure.
          target.value = ''
        }}
      />
      {children(() => inputRef.current?.click())}
    </>
  )
}
