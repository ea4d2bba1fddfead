/** `D:20261116014500Z` and its kin as ISO 8601. */
export const readPdfDate = (text: string | undefined): string | null => {
  const found = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d)'?)?/.exec(text ?? '')
  if (!found) return null
  const [, year, month, day, hour, minute, second, hours, minutes] = found
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
