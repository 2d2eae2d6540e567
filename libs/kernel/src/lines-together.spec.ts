import { LinesTogether } from './lines-together';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function written() {
  const texts: string[] = [];
  return { texts, lines: new LinesTogether((text) => void texts.push(text)) };
}

describe('lines that are written together', () => {
  it('are written a quarter of a second after the first one, in order', () => {
    const { texts, lines } = written();
    lines.write('a\n');
    jest.advanceTimersByTime(200);
    lines.write('b\n');
    expect(texts).toEqual([]);
    jest.advanceTimersByTime(50);
    expect(texts).toEqual(['a\nb\n']);
    lines.write('c\n');
    jest.advanceTimersByTime(250);
    expect(texts).toEqual(['a\nb\n', 'c\n']);
  });

  it('are written as soon as they are 64 KiB, and once', () => {
    const { texts, lines } = written();
    const half = `${'x'.repeat(32_767)}\n`;
    lines.write(half);
    expect(texts).toEqual([]);
    lines.write(half);
    expect(texts).toEqual([half + half]);
    jest.advanceTimersByTime(1_000);
    expect(texts).toHaveLength(1);
  });

  it('are written by a flush, which writes nothing when none waits', () => {
    const { texts, lines } = written();
    lines.write('a\n');
    lines.flush();
    lines.flush();
    jest.advanceTimersByTime(1_000);
    expect(texts).toEqual(['a\n']);
  });
});
