/** The files of a drop, with those inside dropped folders. Hidden files, such as .DS_Store, are left out. */

/** More would freeze the page; the rest of a larger folder is left out. */
export const maxFiles = 2000

const isShown = ({ name }: { name: string }) => !name.startsWith('.')

/** Browsers return a folder in parts of a hundred entries. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return entries
    entries.push(...part)
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const fileOf = (entry: FileSystemEntry) =>
  new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))

async function collect(entries: readonly FileSystemEntry[], found: File[]): Promise<void> {
  for (const entry of entries.filter(isShown)) {
    if (found.length >= maxFiles) return
    if (isFolder(entry)) await collect(await readFolder(entry), found)
    else found.push(await fileOf(entry))
  }
}

/** The transfer is only readable during the event, so the entries are taken before the first wait. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.length === 0) return [...files].filter(isShown)
  const found: File[] = []
  await collect(entries, found)
  return found
}

/** Also those in hidden folders, such as .git, are left out. */
const isInSight = ({ name, webkitRelativePath }: File) =>
  (webkitRelativePath || name).split('/').every((part) => isShown({ name: part }))

/** The files of an input that may be a folder: all of them. */
export const folderFiles = (files: FileList | null): File[] => [...(files ?? [])].filter(isInSight)

export const pickedFiles = (files: FileList | null): File[] => folderFiles(files).slice(0, maxFiles)
