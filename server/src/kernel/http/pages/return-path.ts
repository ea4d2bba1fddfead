/** The page that a login leads back to: a path of our own. Anything else could lead people to a copy of them. Pure. */

const here = 'http://here.invalid'
const longest = 2000

export const returnPath = (wanted: string | undefined): string => {
  if (wanted === undefined || wanted.length > longest || !/^\/(?![/\\])/.test(wanted)) return '/'
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : undefined
  if (url?.origin !== here) return '/'
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') ? '/' : path
}
