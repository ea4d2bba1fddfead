/** Formats storage sizes. */

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const
const step = 1024
const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export const gigabyte = step ** 3

export function formatBytes(bytes: number): string {
  const size = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(step)))
  return `${figures.format(bytes / step ** size)} ${units[size]}`
}
