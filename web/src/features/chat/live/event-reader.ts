/** Server-sent events from text that is cut anywhere: hands out the data of each event once it is whole. */

export function createEventReader(): (text: string) => string[] {
  let rest = ''
  let data: string[] = []
  return (text) => {
    const whole: string[] = []
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line === '' && data.length > 0) {
        whole.push(data.join('\n'))
        data = []
      }
    }
    return whole
  }
}
