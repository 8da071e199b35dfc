<#-- How keys are ranked and moved in a radix sort, unrolled: ${type} is Byte, Int or Long. -->
<#assign
    wide = type == "Long"
    threads = 256
    digits = 256
    value = wide?then("long", "int")
    nibbles = 15>
<#-- The value that is loaded from an array. -->
<#function loaded array at>
  <#local element = array + ".get(" + at + ")">
  <#if type == "Byte"><#local element = "Scalars.value(" + element + ")"></#if>
  <#return (array == "input")?then("KeyWords.ofInput(" + element + ", turned)", element)>
</#function>
<#function stored array key>
  <#if array?ends_with("Positions")><#return key></#if>
  <#local word = (array == "sortedKeys")?then("KeyWords.ofOutput(" + key + ", turnedBack)", key)>
  <#return (type == "Byte")?then("(byte) " + word, word)>
</#function>
<#function bits key shift><#return wide?then("(int) ", "") + "(" + key + " >> " + shift + ")"></#function>
<#-- Four times the low or the high half of a key's digit. -->
<#function half key isHigh shift>
  <#return isHigh?then("(" + bits(key, shift) + " & high4) ^ flipHigh4", "((" + bits(key, shift) + " << 2) & low4) ^ flipLow4")>
</#function>
<#-- The row of the table that is the r-th in the order of digits; rows 4 to 7 hold other things. -->
<#function row r><#return (r < 4)?then(r, r + 4)></#function>
<#macro fromArray place array items>
    if (isFull == 1 & keysFrom == ${place}) {
<#list 0..<items as k>
      ${value} v${k} = ${loaded(array, "from + " + k * threads)};
</#list>
<#list 0..<items as k>
      tile[thread + ${k * threads}] = v${k};
</#list>
    }
</#macro>
<#-- The sums of a warp's values from its last lane down to each. -->
<#macro warpScan of value>
<#list [1, 2, 4, 8, 16] as distance>
      float ${of}${distance} = ${(distance == 1)?then(value, of + distance / 2)} + context.simdShuffleDown(${(distance == 1)?then(value, of + distance / 2)}, ${distance}) * from${distance};
</#list>
</#macro>
<#macro laneMasks position>
<#list [1, 2, 4, 8, 16] as distance>
      float from${distance} = ${position} > ${distance - 1} ? 1f : 0f;
</#list>
</#macro>
<#macro split p isHigh items withPositions>
<#assign shift = isHigh?then("shiftHigh", "shift")>
<#list 0..<items as k>
    ${value} ${p}${k} = tile[own + ${k}];
</#list>
    int ${p}even0 = 0;
    int ${p}odd0 = 0;
    int ${p}even1 = 0;
    int ${p}odd1 = 0;
<#list 0..<items as k>
    long ${p}one${k} = 1L << (${half(p + k, isHigh, shift)});
    ${p}even${(k / nibbles)?int} = ${p}even${(k / nibbles)?int} + (int) ${p}one${k};
    ${p}odd${(k / nibbles)?int} = ${p}odd${(k / nibbles)?int} + (int) (${p}one${k} >> 32);
</#list>
<#list 0..<8 as r>
    table[column + ${row(r) * threads}] =
        ((${p}${(r < 4)?then("even", "odd")}0 >> ${r % 4 * 4}) & 0x000f000f)<#if (items > nibbles)> + ((${p}${(r < 4)?then("even", "odd")}1 >> ${r % 4 * 4}) & 0x000f000f)</#if>;
</#list>
    context.localBarrier();
    int ${p}lane = lane + zero;
    int ${p}warp = warp + zero;
    int ${p}at = ((${p}warp & 3) + (${p}warp & 4) * 2) * ${threads} + 8 * ${p}lane + (${p}lane >> 2);
<#list 0..<8 as c>
    int ${p}word${c} = table[${p}at ^ ${c}];
</#list>
    int ${p}sum0 = ${p}word0;
<#list 1..<8 as c>
    int ${p}sum${c} = ${p}sum${c - 1} + ${p}word${c};
</#list>
    table[${4 * threads} + (thread ^ ${p}warp)] = ${p}sum7;
    context.localBarrier();
    if (thread < 32) {
      int position = (thread ^ 31) + zero;
<@laneMasks "position"/>
      int in = ${4 * threads} + 8 * position + (position >> 2);
      int all = table[in];
<#list 1..<8 as c>
      all = all + table[in ^ ${c}];
</#list>
      float lower = (float) (all & 0xffff);
      float upper = (float) (all >> 16);
<@warpScan "lower", "lower"/>
<@warpScan "upper", "upper"/>
      int evenLower = (int) context.simdBroadcastFirst(context.simdShuffleDown(lower16, 16));
      int evenUpper = (int) context.simdBroadcastFirst(context.simdShuffleDown(upper16, 16));
      int allLower = (int) context.simdBroadcastFirst(lower16);
      int base = position < 16 ? evenLower << 16 : evenUpper + (allLower << 16);
      int running = ((int) lower16 | ((int) upper16 << 16)) - all + base;
      int again = in + zero;
<#list 0..<8 as c>
      int group${c} = table[again ^ ${c}];
      table[again ^ ${c}] = running;
      running = running + group${c};
</#list>
    }
    context.localBarrier();
    int ${p}start = table[${4 * threads} + (thread ^ ${p}warp)];
    int ${p}atAgain = ${p}at + zero;
    table[${p}atAgain] = ${p}start;
<#list 1..<8 as c>
    table[${p}atAgain ^ ${c}] = ${p}start + ${p}sum${c - 1};
</#list>
    context.localBarrier();
    int ${p}again = ${shift} + zero;
    int ${p}column = column + zero;
<#list 0..<items as k>
    int ${p}half${k} = ${half(p + k, isHigh, p + "again")};
    int ${p}in${k} = (${p}half${k} & 44) * stride + ${p}column;
    int ${p}entry${k} = table[${p}in${k}];
    table[${p}in${k}] = ${p}entry${k} + (1 << (${p}half${k} & 16));
    int ${p}rank${k} = (${p}entry${k} >> (${p}half${k} & 16)) & 0xffff;
    tile[${p}rank${k}] = ${p}${k};
<#if withPositions && (k % 2 == 1 || k == items - 1)>
    int ${p}pair${(k / 2)?int} = <#if k % 2 == 1>${p}rank${k - 1} | (${p}rank${k} << 16)<#else>${p}rank${k}</#if>;
<#if !isHigh>
    places[thread + ${(k / 2)?int * threads}] = ${p}pair${(k / 2)?int};
</#if>
</#if>
</#list>
    context.localBarrier();
</#macro>
<#-- Moves the positions of a thread's items to their ranks in a split. -->
<#macro positionsTo p pair items>
<#list 0..<items as k>
      int ${p}${k} = <#if wide>(int) </#if>tile[own + ${k}];
</#list>
      context.localBarrier();
<#list 0..<items as k>
<#if k % 2 == 0>
      int ${p}to${(k / 2)?int} = ${pair?replace("#", (k / 2)?int?c)?replace("@", ((k / 2)?int * threads)?c)};
</#if>
      tile[<#if k % 2 == 0>${p}to${(k / 2)?int}<#else>(${p}to${(k / 2)?int} >> 16)</#if> & 0xffff] = ${p}${k};
</#list>
      context.localBarrier();
</#macro>
<#macro positionsFrom condition array items>
      if (isFull == 1 & ${condition}) {
<#list 0..<items as k>
        int i${k} = <#if array == "">first + thread + ${k * threads}<#else>${array}.get(fromPositions + ${k * threads})</#if>;
</#list>
<#list 0..<items as k>
        tile[thread + ${k * threads}] = i${k};
</#list>
      }
</#macro>
<#macro parameters extra="">
      KernelContext context,
      IntArray shape,
      ${type}Array input,
      ${type}Array otherKeys,
      ${type}Array sortedKeys,
<#if extra == "positions">
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
</#if>
      IntArray steps,
      IntArray counts,
      IntArray starts,
      IntArray totals,
</#macro>
<#macro kernels items withPositions hasFewItems>
<#assign
    all = items * threads
    name = withPositions?then("Positions", "") + hasFewItems?then("Few", "")
    extra = withPositions?then("positions", "")
    arrays = withPositions?then("input, otherKeys, sortedKeys, given, otherPositions, sortedPositions", "input, otherKeys, sortedKeys")>
  /** Moves the keys of a tile by a step<#if withPositions>, and their positions</#if>. */
  private static void move${name}(
<@parameters extra/>
      int shapeAt,
      int thread,
      int block,
      int step,
      int isSingle,
      int isSummed,
<#if withPositions>
      int payload,
</#if>
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
    ${value}[] tile = context.allocate${wide?then("Long", "Int")}LocalArray(${all});
    int[] table = context.allocateIntLocalArray(${12 * threads});
<#if withPositions>
    int[] places = context.allocateIntLocalArray(${((items + 1) / 2)?int * threads});
</#if>
    int warp = thread >> 5;
    int lane = thread & 31;
    int column = thread ^ warp;
<@fromArray "INPUT" "input" items/>
<@fromArray "OTHER" "otherKeys" items/>
<@fromArray "OUTPUT" "sortedKeys" items/>
    if (isFull == 0) {
      ${value} lowest = ${wide?then("(long) ", "")}flip << shift;
      ${value} highest = ${wide?then("(long) ", "")}(mask ^ flip) << shift;
      for (int k = 0; k < ${items}; k++) {
        int item = k * ${threads} + thread;
        int inside = Scalars.max(Scalars.min(item, left - 1), lead) - thread;
        ${value} key = ${type}RadixKernels.key(keysFrom, turned, input, otherKeys, sortedKeys, from + inside);
        ${value} inTile = item < left ? key : highest;
        tile[item] = item < lead ? lowest : inTile;
      }
    }
    if (isSingle == 1) {
      table[${5 * threads} + thread] = 0;
    }
    if (isSingle == 0 & thread > ${threads - 33}) {
      int position = lane ^ 31;
<@laneMasks "position"/>
      int row = block * ${digits} + position;
<#list 0..<8 as i>
      int count${i} = counts.get(row + ${32 * i});
</#list>
<#list 0..<8 as i>
      int start${i} = starts.get(row + ${32 * i});
</#list>
<#list 0..<8 as i>
      int total${i} = isSummed == 1 ? 0 : totals.get(position + ${32 * i});
</#list>
      float before0 = 0f;
<#list 0..<8 as i>
      float digits${i} = (float) (total${i} - count${i});
<@warpScan "digits" + i + "x", "digits" + i/>
      table[${5 * threads + 32 * i} + position] = start${i} + (int) (before${i} + digits${i}x16) - (total${i} - count${i}) - lead;
<#if i < 7>
      float before${i + 1} = before${i} + context.simdBroadcastFirst(digits${i}x16);
</#if>
</#list>
    }
    context.localBarrier();
    int own = thread * ${items};
    int stride = ${threads / 4} + zero;
    int low4 = (mask & 15) * 4 + zero;
    int flipLow4 = (flip & 15) * 4 + zero;
<@split "a" false items withPositions/>
    int high4 = ((mask >> 4) & 15) * 4 + zero;
    int flipHigh4 = ((flip >> 4) & 15) * 4 + zero;
    int shiftHigh = shift + zero + 2;
<@split "b" true items withPositions/>
    int to = steps.get(step + TO);
    int isLast = steps.get(step + IS_LAST);
    int keysTo = <#if withPositions>(payload & IntRadixKernels.KEYS) == 0 & isLast == 1 ? NONE : </#if>to;
    int turnedBack = isLast == 1 ? turned : KeyWords.NOT_TURNED;
    int item = thread + zero;
    int offsets = ${5 * threads} + zero;
    int toKeys = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_INPUT, to);
    int itemTo = item + toKeys;
<#list {"OTHER": "otherKeys", "OUTPUT": "sortedKeys"} as place, array>
    if (isFull == 1 & keysTo == ${place}) {
<#list 0..<items as k>
      ${value} s${k} = tile[item + ${k * threads}];
      int p${k} = table[offsets + ((${bits("s" + k, "shift")} & mask) ^ flip)] + itemTo + ${k * threads};
      ${array}.set(p${k}, ${stored(array, "s" + k)});
</#list>
    }
</#list>
    if (isFull == 0) {
      for (int k = 0; k < ${items}; k++) {
        int place = k * ${threads} + thread;
        int isInside = (lead <= place ? 1 : 0) & (place < left ? 1 : 0);
        ${value} key = tile[place];
        int at = table[offsets + ((${bits("key", "shift")} & mask) ^ flip)] + toKeys + place;
        if (isInside == 1 & keysTo == OTHER) {
          otherKeys.set(at, ${stored("otherKeys", "key")});
        }
        if (isInside == 1 & keysTo == OUTPUT) {
          sortedKeys.set(at, ${stored("sortedKeys", "key")});
        }
      }
    }
<#if withPositions>
<#list 0..<items as k>
    int d${k} = (${bits("tile[item + " + (k * threads)?c + "]", "shift")} & mask) ^ flip;
<#if k % 4 == 3 || k == items - 1>
    table[thread + ${row((k / 4)?int) * threads}] = <#list k - k % 4..k as j><#if j % 4 != 0> | (</#if>d${j}<#if j % 4 != 0> << ${j % 4 * 8})</#if></#list>;
</#if>
</#list>
    int isGiven = (payload & IntRadixKernels.GIVEN) == 0 ? 0 : 1;
    int ofInput = keysFrom == INPUT ? 1 : 0;
    int fromPositions = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_GIVEN, keysFrom) + first + thread;
    context.localBarrier();
<@positionsFrom "ofInput == 1 & isGiven == 0" "" items/>
<@positionsFrom "ofInput == 1 & isGiven == 1" "given" items/>
<@positionsFrom "keysFrom == OTHER" "otherPositions" items/>
<@positionsFrom "keysFrom == OUTPUT" "sortedPositions" items/>
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
        tile[k * ${threads} + thread] = position;
      }
    }
    context.localBarrier();
<@positionsTo "x" "places[thread + @]" items/>
<@positionsTo "y" "bpair#" items/>
    int itemAgain = item + zero;
    int toPosition = itemAgain + IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_GIVEN, to);
<#list {"OTHER": "otherPositions", "OUTPUT": "sortedPositions"} as place, array>
    if (isFull == 1 & to == ${place}) {
<#list 0..<items as k>
<#if k % 4 == 0>
      int digits${(k / 4)?int} = table[itemAgain + ${row((k / 4)?int) * threads}];
</#if>
      ${array}.set(table[offsets + ((digits${(k / 4)?int} >> ${k % 4 * 8}) & 255)] + toPosition + ${k * threads}, <#if wide>(int) </#if>tile[itemAgain + ${k * threads}]);
</#list>
    }
</#list>
    if (isFull == 0) {
      for (int k = 0; k < ${items}; k++) {
        int place = k * ${threads};
        int inTable = k / 4 * ${threads};
        int four = table[itemAgain + inTable + (inTable < ${4 * threads} ? 0 : ${4 * threads})];
        int at = table[offsets + ((four >> (k % 4 * 8)) & 255)] + toPosition + place;
        int position = <#if wide>(int) </#if>tile[itemAgain + place];
        int isInside = (lead <= place + thread ? 1 : 0) & (place + thread < left ? 1 : 0);
        if (isInside == 1 & to == OTHER) {
          otherPositions.set(at, position);
        }
        if (isInside == 1 & to == OUTPUT) {
          sortedPositions.set(at, position);
        }
      }
    }
</#if>
  }

  static void scatter${name}(
<@parameters extra/>
      IntArray done,
      @AtLaunch int shapeAt,
      int doneAt,
      int payload,
      int isSummed,
      int turned) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int tiles = shape.get(shapeAt + RadixSortStep.TILES);
    int pass = steps.get(MOVED);
    int step = RadixSteps.at(pass);
    if (tile < tiles & steps.get(step) != NONE) {
      move${name}(context, shape, ${arrays}, steps, counts, starts, totals, shapeAt, thread, tile, step, 0, isSummed, <#if withPositions>payload, </#if>turned);
    }
    if (thread == 0 & tile == 0) {
      steps.set(COUNTED, pass + 1);
      if (pass + 1 == shape.get(shapeAt + RadixSortStep.PASSES)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }

<#if !hasFewItems>
  /** All passes over a single tile<#if withPositions>, with positions</#if>. */
  static void sort${name}(
<@parameters extra/>
      IntArray done,
      @AtLaunch int shapeAt,
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
        move${name}(context, shape, ${arrays}, steps, counts, starts, totals, shapeAt, thread, 0, RadixSteps.at(pass), 1, 1, <#if withPositions>payload, </#if>turned);
      }
      context.localBarrier();
    }
    if (thread == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
</#if>
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

import funnel.kernel.AtLaunch;
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
   * Two splits. Counters of 256 digits for each thread would take more local memory than there is,
   * so keys are put in the order of their digits by two stable splits: by the lower four bits, and
   * then by the higher four. In a split a thread has consecutive keys, since equal keys keep their
   * order. It counts their 16 digits in fields of four bits in two ints, which takes no memory, and
   * four instructions a key; a field holds at most 15 keys, and for more there are two pairs.
   *
   * Ranking. Counts then go to a table in local memory, a column for each thread: digits d and
   * d + 4 are in halves of row d, digits 8 + d and 12 + d in row 8 + d, for d below 4. Rows 4 and 5
   * hold other things. Each thread adds up a row's words of 8 neighbouring threads; the first warp
   * scans these 256 sums, by shuffles; each thread turns its 8 words into ranks. Then each thread
   * takes its keys in order again. A key's rank is in its thread's word for its digit, to which it
   * adds one. Keys go to local memory at their ranks.
   *
   * From there, now in the order of their digits, neighbours go to neighbouring places in runs of
   * one digit. Where a digit's run goes, less its first rank, is computed by the last warp while the
   * others load keys, from the counts of the tile; if tiles are few, from the totals of digits too.
   *
   * Positions follow. They are loaded coalesced, and move by the ranks of both splits, which were
   * kept, two in an int; they are stored to the places that the digits of the ranked keys give.
   *
   * Why devices like it: counters take no memory, so a pass is eight bits for about the accesses to
   * local memory that a counter for each thread and digit takes for seven. Threads have an odd number
   * of keys, so keys that are consecutive in a thread are in different banks without gaps. Columns
   * are permuted, so that threads which scan 8 words each access 32 banks. What remains are the two
   * stores of a key at its ranks, in random banks. Tiles are large, for long runs: with 80 registers
   * a multiprocessor has three blocks.
   *
   * Compilers keep what is computed again later, in registers; adding a zero that they do not know
   * prevents this. A private array would stay in memory on ptx, so the code is written out; what
   * seldom runs is in loops, since TornadoVM compiles methods of at most 20,000 nodes. Several
   * values are read before any of them is stored, since the cuda backend's compiler assumes that a
   * store may change what is read next. A local array cannot be passed to another method. Of
   * floats, only sums below 2^24 are shuffled, which are exact.
   */

  private ${type}RadixScatterKernels() {}

<@kernels wide?then(13, 23), false, false/>

<@kernels wide?then(11, (type == "Byte")?then(19, 21)), true, false/>

<@kernels 11, false, true/>

<#if !wide>

<@kernels 11, true, true/>
</#if>
}
