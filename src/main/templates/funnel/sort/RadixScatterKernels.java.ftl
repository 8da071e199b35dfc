<#-- How keys are ranked and moved in a radix sort, unrolled: ${type} is Byte, Int or Long. -->
<#assign
    wide = type == "Long"
    items = wide?then(16, 32)
    threads = 128
    all = items * threads
    pitch = threads + 32 / items
    gap = threads / items
    rankPitch = threads + gap
    rankBits = wide?then(4, 5)
    counted = items / 2 - ((items + 5) / 6)?int
    groups = threads / 8
    groupPitch = threads + 2
    value = wide?then("long", "int")>
<#-- Of a variable's name the value that is loaded from an array. -->
<#function loaded array at>
  <#local element = array + ".get(" + at + ")">
  <#if type == "Byte"><#local element = "Scalars.value(" + element + ")"></#if>
  <#return (array == "input")?then("KeyWords.ofInput(" + element + ", turned)", element)>
</#function>
<#function digit key shift="shift">
  <#return "(" + wide?then("(int) ", "") + "(" + key + " >> " + shift + ") & mask) ^ flip">
</#function>
<#function stored array key>
  <#local word = (array == "sortedKeys")?then("KeyWords.ofOutput(" + key + ", turnedBack)", key)>
  <#return (type == "Byte")?then("(byte) " + word, word)>
</#function>
<#function half key isHigh>
  <#if !wide><#return key></#if>
  <#return isHigh?then("(int) ((" + key + ") >> 32)", "(int) (" + key + ")")>
</#function>
<#macro fromArray place array isHigh=false>
<#assign batch = wide?then(8, 16)>
    if (isFull == 1 & keysFrom == ${place}) {
      for (int r = 0; r < ${items / batch}; r++) {
        int at = from<#if isHigh> + zero</#if> + r * ${batch * threads};
        int in = slot + r * ${batch * gap};
<#list 0..<batch as k>
        ${value} v${k} = ${loaded(array, "at + " + k * threads)};
</#list>
<#list 0..<batch as k>
        tile[in + ${k * gap}] = ${half("v" + k, isHigh)};
</#list>
      }
    }
</#macro>
<#macro notFull isHigh=false>
      for (int k = 0; k < ${items}; k++) {
        int item = k * ${threads} + thread;
        int inside = Scalars.max(Scalars.min(item, left - 1), lead) - thread;
        ${value} key = ${type}RadixKernels.key(keysFrom, turned, input, otherKeys, sortedKeys, from + inside);
        int inTile = ${half("item < left ? key : highest", isHigh)};
        tile[slot + k * ${gap}] = item < lead ? ${half("lowest", isHigh)} : inTile;
      }
</#macro>
<#-- Stores eight items of a thread, from k on, in one of two arrays. -->
<#macro eight kind to arrays values>
<#if !wide>
<#list arrays as place, array>
        if (isFull == 1 & ${kind}To == ${place}) {
<#list 0..<8 as k>
          ${array}.set(${to} + p${k}, ${(kind == "keys")?then(stored(array, values + k), values + k)});
</#list>
        }
</#list>
</#if>
        <#if wide>{<#else>if (isFull == 0) {</#if>
<#list 0..<8 as k>
          int isInside${k} = (lead <= own + ${k * threads} ? 1 : 0) & (own + ${k * threads} < left ? 1 : 0);
<#list arrays as place, array>
          if (isInside${k} == 1 & ${kind}To == ${place}) {
            ${array}.set(${to} + p${k}, ${(kind == "keys")?then(stored(array, values + k), values + k)});
          }
</#list>
</#list>
        }
</#macro>
<#macro positionsFrom condition array>
      if (isFull == 1 & ${condition}) {
        for (int r = 0; r < ${items / 8}; r++) {
          int in = pairs + r * ${8 * gap};
          int at = <#if array == "">first + thread<#else>fromPositions</#if> + r * ${8 * threads};
<#list 0..<8 as k>
          int i${k} = ${(array == "")?then("at + " + k * threads, array + ".get(at + " + k * threads + ")")};
</#list>
<#list 0..<8 as k>
          tile[(places[in + ${k * gap}] >> inPair) & 0xffff] = i${k};
</#list>
        }
      }
</#macro>

package funnel.sort;

import static funnel.sort.RadixSteps.COUNTED;
import static funnel.sort.RadixSteps.FLIP;
import static funnel.sort.RadixSteps.INPUT;
import static funnel.sort.RadixSteps.IS_LAST;
import static funnel.sort.RadixSteps.MASK;
import static funnel.sort.RadixSteps.MOVED;
import static funnel.sort.RadixSteps.NONE;
import static funnel.sort.RadixSteps.OTHER;
import static funnel.sort.RadixSteps.OUTPUT;
import static funnel.sort.RadixSteps.SHIFT;
import static funnel.sort.RadixSteps.TO;

import funnel.block.BlockScan;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.${type}Array;
<#if type != "Int">
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
</#if>

/** Ranks the keys of a tile by a digit and moves them, in the device form of a {@link RadixSortStep}. */
final class ${type}RadixScatterKernels {

  /* Tiles begin where a warp's keys are aligned. Places after the last key are read somewhere
   * inside, and count as keys of the highest digit: they get the last ranks of the tile, and are
   * not stored. Places before the first key count as keys of the lowest digit, and get the first
   * ranks.
   *
   * Ranking. Keys are loaded coalesced and pass through local memory to the threads that rank them,
   * ${items} consecutive ones each, since equal keys must keep their order; then they stay in
   * registers. A key's rank is the sum of three numbers: that of keys of lower digits, or of its
   * digit in earlier groups of threads; that of its digit in earlier threads of its group of 8; and
   * that of its digit earlier in its own thread, 5 bits each. A thread has a counter of 8 bits for
   * each digit, four of them in a word: digit d is in byte d / 32 of word d % 32. Each thread scans
   * the counters of a word in a group, whose sum is at most 224; a thread for each digit scans the
   * groups' totals.
   *
   * Then keys are written to local memory at their ranks. From there, now in the order of their
   * digits, neighbours go to neighbouring places in runs of one digit. Ranks have gaps there, so
   * that the ranks of keys that are already sorted, ${items} apart, are in different banks.
   * Positions follow: they are loaded coalesced, written at the ranks of their keys, and stored to
   * the keys' places, which the kept digits give.
<#if wide>
   *
   * Keys of 64 bits are moved in two halves, so that a key takes only an int of local memory.
</#if>
   *
   * One local array has keys, counters and ranked keys in turn. Whether a thread needs 72
   * registers, with which 24 warps fit on a multiprocessor, or 127, depends on what the compilers
   * keep. They compute values as late as possible, and keep the operands. So the results of
   * counting are stored immediately, six keys together, as are ranks, two in an int. They also keep
   * what is computed again later; adding a zero that they do not know prevents this. A private
   * array would stay in memory on ptx, so the code is written out; code that carries nothing on is
   * in loops, since TornadoVM compiles methods of at most 20,000 nodes. Eight or sixteen values are
   * read before any of them is stored, since the cuda backend's compiler assumes that a store may
   * change what is read next.
   *
   * Threads exchange values only through local memory. Columns of counters are permuted so that the
   * threads of a warp that scan different groups, beginning at words that differ by four, access 32
   * banks. A local array cannot be passed to another method.
   */

  private ${type}RadixScatterKernels() {}

  /** Moves the keys and positions of a tile by a step. */
  private static void move(
      KernelContext context,
      IntArray shape,
      ${type}Array input,
      ${type}Array otherKeys,
      ${type}Array sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      int shapeAt,
      int thread,
      int block,
      int step,
      int total,
      int start,
      int single,
      int payload,
      int turned) {
    int length = shape.get(shapeAt);
    int zero = Scalars.min(length, 0); // no compiler knows it, so sums with it are not kept
    int first = block * ${all} - shape.get(shapeAt + RadixSortStep.LEAD);
    int left = length - first;
    int lead = Scalars.max(0 - first, 0);
    int isFull = left >= ${all} & lead == 0 ? 1 : 0;
    int keysFrom = steps.get(step);
    int shift = steps.get(step + SHIFT);
    int mask = steps.get(step + MASK);
    int flip = steps.get(step + FLIP);
    int from = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_INPUT, keysFrom) + first + thread;
    int[] tile = context.allocateIntLocalArray(${[items * rankPitch, 32 * threads]?max});
    int[] groups = context.allocateIntLocalArray(${groups * groupPitch});
    int[] offsets = context.allocateIntLocalArray(${threads});
    int[] places = context.allocateIntLocalArray(${items / 2 * pitch});
    int column = thread ^ (thread / 32);
    int slot = (thread & ${items - 1}) * ${pitch} + thread / ${items};
    ${value} lowest = ${wide?then("(long) ", "")}flip << shift;
    ${value} highest = ${wide?then("(long) ", "")}(mask ^ flip) << shift;
<@fromArray "INPUT" "input"/>
<@fromArray "OTHER" "otherKeys"/>
<@fromArray "OUTPUT" "sortedKeys"/>
    if (isFull == 0) {
<@notFull false/>
    }
    int digitStart = BlockScan.exclusiveSum(context, thread, ${threads}, total);
    offsets[thread] = digitStart + start;
    context.localBarrier();
<#if wide>
<#list 0..<items as k>
    int low${k} = tile[thread + ${k * pitch}];
</#list>
    context.localBarrier();
<@fromArray "INPUT" "input" true/>
<@fromArray "OTHER" "otherKeys" true/>
<@fromArray "OUTPUT" "sortedKeys" true/>
    if (isFull == 0) {
<@notFull true/>
    }
    context.localBarrier();
<#list 0..<items as k>
    long k${k} = ((long) tile[thread + ${k * pitch}] << 32) | (low${k} & 0xffffffffL);
</#list>
<#else>
<#list 0..<items as k>
    int k${k} = tile[thread + ${k * pitch}];
</#list>
</#if>
    context.localBarrier();
<#list 0..<32 as row>
    tile[column + ${row * threads}] = 0;
</#list>
<#list 0..<items as k>
    int d${k} = ${digit("k" + k)};
    int a${k} = (d${k} & 31) * ${threads} + column;
    int b${k} = (d${k} >> 2) & 24;
    int w${k} = tile[a${k}];
    tile[a${k}] = w${k} + (1 << b${k});
    int l${k} = <#if k % 6 == 0><#else>l${k - 1} | </#if>(((w${k} >> b${k}) & 31) << ${k % 6 * 5});
<#if k % 6 == 5 || k == items - 1>
    places[thread + ${((k / 6)?int + counted) * pitch}] = l${k};
</#if>
</#list>
    context.localBarrier();
    int odd = thread & 1;
    int group = thread / 2 & 15;
<#list 0..<4 as r>
    int row${r} = thread / 32 * 2 + ${r * 8} + odd;
    int at${r} = (row${r} * ${threads} + 8 * group + group / 4) ^ (4 * odd);
<#list 0..<8 as c>
    int c${r}x${c} = tile[at${r} ^ ${c}];
</#list>
    int lower${r}x2 = c${r}x0 + c${r}x1;
    int lower${r}x3 = lower${r}x2 + c${r}x2;
    int lower${r} = lower${r}x3 + c${r}x3;
    int upper${r}x2 = c${r}x4 + c${r}x5;
    int upper${r}x3 = upper${r}x2 + c${r}x6;
    int upper${r} = upper${r}x3 + c${r}x7;
    int beforeLower${r} = upper${r} * odd;
    int beforeUpper${r} = lower${r} * (1 - odd);
    tile[at${r}] = beforeLower${r};
    tile[at${r} ^ 1] = beforeLower${r} + c${r}x0;
    tile[at${r} ^ 2] = beforeLower${r} + lower${r}x2;
    tile[at${r} ^ 3] = beforeLower${r} + lower${r}x3;
    tile[at${r} ^ 4] = beforeUpper${r};
    tile[at${r} ^ 5] = beforeUpper${r} + c${r}x4;
    tile[at${r} ^ 6] = beforeUpper${r} + upper${r}x2;
    tile[at${r} ^ 7] = beforeUpper${r} + upper${r}x3;
    int evenBytes${r} = (lower${r} & 0x00ff00ff) + (upper${r} & 0x00ff00ff);
    int oddBytes${r} = ((lower${r} >> 8) & 0x00ff00ff) + ((upper${r} >> 8) & 0x00ff00ff);
    int to${r} = group * ${groupPitch} + row${r};
    groups[to${r}] = evenBytes${r} & 0xffff;
    groups[to${r} + 32] = oddBytes${r} & 0xffff;
    groups[to${r} + 64] = (evenBytes${r} >> 16) & 0xffff;
    groups[to${r} + 96] = (oddBytes${r} >> 16) & 0xffff;
</#list>
    context.localBarrier();
    int sum = 0;
<#list 0..<groups as g>
    sum = sum + groups[thread + ${g * groupPitch}];
</#list>
    int digitAgain = thread + zero;
    int lower = BlockScan.exclusiveSum(context, digitAgain, ${threads}, sum);
    int running = lower;
<#list 0..<groups as g>
    int g${g} = groups[digitAgain + ${g * groupPitch}];
    groups[digitAgain + ${g * groupPitch}] = running;
    running = running + g${g};
</#list>
    int ahead = thread == 0 ? lead : 0;
    int offset = offsets[thread] - lower - ahead;
    offsets[thread] = single == 1 ? 0 : offset;
    context.localBarrier();
    int shiftAgain = shift + zero;
    int columnAgain = column + zero;
    int ofGroup = thread / 8 * ${groupPitch};
<#list 0..<items as k>
<#if k % 6 == 0>
    int m${(k / 6)?int} = places[thread + ${((k / 6)?int + counted) * pitch}];
</#if>
    int e${k} = ${digit("k" + k, "shiftAgain")};
    int x${k} = tile[(e${k} & 31) * ${threads} + columnAgain];
    int rank${k} = groups[ofGroup + e${k}] + ((x${k} >> ((e${k} >> 2) & 24)) & 0xff) + ((m${(k / 6)?int} >> ${k % 6 * 5}) & 31);
    int r${k} = rank${k} + (rank${k} >> ${rankBits});
<#if k % 2 == 1>
    places[thread + ${(k - 1) / 2 * pitch}] = r${k - 1} | (r${k} << 16);
</#if>
</#list>
    context.localBarrier();
<#list 0..<items / 2 as k>
    int u${k} = places[thread + ${k * pitch}];
    tile[u${k} & 0xffff] = ${half("k" + 2 * k, false)};
    tile[(u${k} >> 16) & 0xffff] = ${half("k" + (2 * k + 1), false)};
</#list>
    context.localBarrier();
    int ranked = thread + thread / ${items};
    int positionsTo = steps.get(step + TO);
    int isLast = steps.get(step + IS_LAST);
    int keysTo = (payload & IntRadixKernels.KEYS) == 0 & isLast == 1 ? NONE : positionsTo;
    int turnedBack = isLast == 1 ? turned : KeyWords.NOT_TURNED;
    int to = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_INPUT, positionsTo);
<#if wide>
<#list 0..<items as k>
    int q${k} = tile[ranked + ${k * rankPitch}];
</#list>
    context.localBarrier();
<#list 0..<items / 2 as k>
    int y${k} = places[thread + zero + ${k * pitch}];
    tile[y${k} & 0xffff] = ${half("k" + 2 * k, true)};
    tile[(y${k} >> 16) & 0xffff] = ${half("k" + (2 * k + 1), true)};
</#list>
    context.localBarrier();
</#if>
<#list 0..<wide?then(items / 8, 1) as part>
    <#if wide>{<#else>for (int r = 0; r < ${items / 8}; r++) {</#if>
<#if wide>
      int r = ${part};
</#if>
      int in = ranked + r * ${8 * rankPitch};
      int own = thread + r * ${8 * threads};
<#list 0..<8 as k>
      ${value} s${k} = <#if wide>((long) tile[in + ${k * rankPitch}] << 32) | (q${part * 8 + k} & 0xffffffffL)<#else>tile[in + ${k * rankPitch}]</#if>;
</#list>
<#list 0..<8 as k>
      int f${k} = ${digit("s" + k)};
      int p${k} = own + ${k * threads} + offsets[f${k}];
</#list>
      if ((payload & IntRadixKernels.POSITIONS) != 0) {
        groups[thread + r * ${2 * threads}] = f0 | (f1 << 8) | (f2 << 16) | (f3 << 24);
        groups[thread + r * ${2 * threads} + ${threads}] = f4 | (f5 << 8) | (f6 << 16) | (f7 << 24);
      }
<@eight "keys" "to" {"OTHER": "otherKeys", "OUTPUT": "sortedKeys"} "s"/>
    }
</#list>
      if ((payload & IntRadixKernels.POSITIONS) != 0) {
        int isGiven = (payload & IntRadixKernels.GIVEN) == 0 ? 0 : 1;
        int ofInput = keysFrom == INPUT ? 1 : 0;
        int fromPositions = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_GIVEN, keysFrom) + first + thread;
        int toPositions = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_GIVEN, positionsTo);
        int pairs = (thread & ${items - 1}) / 2 * ${pitch} + thread / ${items};
        int inPair = (thread & 1) * 16;
        context.localBarrier();
<@positionsFrom "ofInput == 1 & isGiven == 0" ""/>
<@positionsFrom "ofInput == 1 & isGiven == 1" "given"/>
<@positionsFrom "keysFrom == OTHER" "otherPositions"/>
<@positionsFrom "keysFrom == OUTPUT" "sortedPositions"/>
        if (isFull == 0) {
          for (int k = 0; k < ${items}; k++) {
            int inside = Scalars.max(Scalars.min(k * ${threads}, left - thread - 1), lead - thread);
            int position = first + thread + inside;
            if (ofInput == 1 & isGiven == 1) {
              position = given.get(fromPositions + inside);
            }
            if (keysFrom == OTHER) {
              position = otherPositions.get(fromPositions + inside);
            }
            if (keysFrom == OUTPUT) {
              position = sortedPositions.get(fromPositions + inside);
            }
            tile[(places[pairs + k * ${gap}] >> inPair) & 0xffff] = position;
          }
        }
        context.localBarrier();
        for (int r = 0; r < ${items / 8}; r++) {
          int in = ranked + r * ${8 * rankPitch};
          int own = thread + r * ${8 * threads};
          int digits0 = groups[thread + r * ${2 * threads}];
          int digits1 = groups[thread + r * ${2 * threads} + ${threads}];
<#list 0..<8 as k>
          int i${k} = tile[in + ${k * rankPitch}];
</#list>
<#list 0..<8 as k>
          int p${k} = own + ${k * threads} + offsets[(digits${(k / 4)?int} >> ${k % 4 * 8}) & 127];
</#list>
<@eight "positions" "toPositions" {"OTHER": "otherPositions", "OUTPUT": "sortedPositions"} "i"/>
        }
      }
  }

  static void scatter(
      KernelContext context,
      IntArray shape,
      ${type}Array input,
      ${type}Array otherKeys,
      ${type}Array sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      IntArray starts,
      IntArray totals,
      IntArray done,
      int shapeAt,
      int doneAt,
      int payload,
      int turned) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int tiles = shape.get(shapeAt + RadixSortStep.TILES);
    int pass = steps.get(MOVED);
    int step = RadixSteps.at(pass);
    if (tile < tiles & steps.get(step) != NONE) {
      int total = totals.get(thread);
      int start = starts.get(thread * tiles + tile);
      move(context, shape, input, otherKeys, sortedKeys, given, otherPositions, sortedPositions, steps, shapeAt, thread, tile, step, total, start, 0, payload, turned);
    }
    if (thread == 0 & tile == 0) {
      steps.set(COUNTED, pass + 1);
      if (pass + 1 == shape.get(shapeAt + RadixSortStep.PASSES)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }

  /** All passes over a single tile. */
  static void sort(
      KernelContext context,
      IntArray shape,
      ${type}Array input,
      ${type}Array otherKeys,
      ${type}Array sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      IntArray done,
      int shapeAt,
      int doneAt,
      int payload,
      int turned) {
    int thread = context.localIdx;
    int length = shape.get(shapeAt);
    int passes = length == 0 ? 0 : shape.get(shapeAt + RadixSortStep.PASSES);
    int begin = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_INPUT, INPUT);
    ${value}[] differences = context.allocate${wide?then("Long", "Int")}LocalArray(${threads});
    ${value} difference = 0;
    for (int at = thread; at < length; at += ${threads}) {
      ${value} key = ${type}RadixKernels.key(INPUT, turned, input, otherKeys, sortedKeys, begin + at);
      difference = difference | (key ^ ${type}RadixKernels.key(INPUT, turned, input, otherKeys, sortedKeys, begin));
    }
    differences[thread] = difference;
    context.localBarrier();
    if (thread == 0) {
      for (int k = 1; k < ${threads}; k++) {
        difference = difference | differences[k];
      }
      RadixSteps.plan(shape, steps, difference, shapeAt);
    }
    context.localBarrier();
    for (int pass = 0; pass < passes; pass++) {
      if (steps.get(RadixSteps.at(pass)) != NONE) {
        move(context, shape, input, otherKeys, sortedKeys, given, otherPositions, sortedPositions, steps, shapeAt, thread, 0, RadixSteps.at(pass), 0, 0, 1, payload, turned);
      }
      context.localBarrier();
    }
    if (thread == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
